import { describe, expect, it } from 'vitest';
import { type Event, eventsOf } from './events.ts';

async function read(text: string, size: number): Promise<readonly Event[]> {
  const bytes = new TextEncoder().encode(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  );
  const events: Event[] = [];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const event of eventsOf(body)) events.push(event);
  return events;
}

const lines = [
  ': keep-alive',
  '',
  'id: 1',
  'event: receipt',
  'data: {"a":"ü"}',
  '',
  'data:{"b":',
  'data: 2}',
  '',
  '',
];
const expected = [
  { name: 'receipt', data: { a: 'ü' }, id: '1' },
  { name: 'message', data: { b: 2 } },
];

describe('the events of a stream are read', () => {
  // A proxy may end lines otherwise than the server did.
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('with lines that end with %s, however they are cut', async (_, end) => {
    for (const size of [1, 2, 3, 7, 1_000]) {
      const events = await read(lines.join(end), size);
      expect(events.map(({ data, name }) => ({ data, name }))).toEqual(
        expected.map(({ data, name }) => ({ data, name })),
      );
      expect(events[0]?.id).toBe('1');
    }
  });

  it('and half an event at the end is none', async () => {
    expect(await read('data: {"a":1}\n\ndata: {"b"', 1_000)).toHaveLength(1);
  });
});
