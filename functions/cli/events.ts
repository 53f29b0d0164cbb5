import { EventSourceParserStream } from 'eventsource-parser/stream';

/** One server-sent event. */
export interface Event {
  readonly name: string;
  readonly data: unknown;
  readonly id?: string;
}

/**
 * Events of a stream as they come; comments are left out. Throws for an event whose data is not
 * JSON.
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Event> {
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data, event = 'message', id } of events) {
    const parsed = { name: event, data: JSON.parse(data) as unknown };
    yield id === undefined ? parsed : { ...parsed, id };
  }
}
