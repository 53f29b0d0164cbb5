import { describe, expect, test } from 'vitest';
import type { Log } from '../shared/ports/log.ts';
import type { WakeUp, WakeUpHandler } from '../shared/ports/queue.ts';
import { Unavailable } from '../shared/ports/faults.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { type Receiver, receiveWakeUp } from './receive-wake-up.ts';

const day = 86_400_000;

function receiver(over: Partial<Receiver> = {}, handle?: WakeUpHandler) {
  const clock = new VirtualClock();
  const handled: WakeUp[] = [];
  const enqueued: WakeUp[] = [];
  const lines: string[] = [];
  const log: Log = { write: (...line) => lines.push(JSON.stringify(line)) };
  const queue = { enqueue: async (wakeUp: WakeUp) => void enqueued.push(wakeUp) };
  const body = {
    kind: 'run',
    taskId: '00000000-0000-4000-8000-000000000001',
    revision: 3,
    at: clock.now(),
  };
  const given: Receiver = {
    name: 'worker',
    kinds: ['run'],
    app: { clock, queue, log },
    async handle(wakeUp) {
      handled.push(wakeUp);
      return (await handle?.(wakeUp)) ?? 'done';
    },
    ...over,
  };
  const receive = (changes: object = {}) => receiveWakeUp(given, {}, { ...body, ...changes });
  return { clock, handled, enqueued, lines, body, receive, given };
}

test('a wake-up is handled as it was given, with its repeat', async () => {
  const { receive, handled, body } = receiver();
  expect(await receive({ repeat: 2 })).toEqual({ status: 200, outcome: 'done' });
  expect(handled).toEqual([{ ...body, repeat: 2 }]);
});

test('a trace goes along; what is none is left away, and the wake-up is handled', async () => {
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const { receive, handled, body } = receiver();
  await receive({ trace });
  for (const none of ['00-0-0-01', 17, null]) await receive({ trace: none });
  expect(handled).toEqual([{ ...body, trace }, body, body, body]);
  expect(handled.map((wakeUp) => 'trace' in wakeUp)).toEqual([true, false, false, false]);
});

test('a wake-up that was early goes on with its trace', async () => {
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const { receive, enqueued, clock } = receiver();
  expect(await receive({ trace, at: clock.now() + day })).toMatchObject({ outcome: 'early' });
  expect(enqueued).toMatchObject([{ trace }]);
});

test('again and a throw are 503, and the log names no words of the fault', async () => {
  expect((await receiver({}, async () => 'again').receive()).status).toBe(503);
  const throwing = receiver({}, async () => {
    throw new RangeError('the secret of a task');
  });
  expect((await throwing.receive()).status).toBe(503);
  expect(throwing.lines.join()).toContain('RangeError');
  expect(throwing.lines.join()).not.toContain('secret');
});

test.each([
  { kind: 'project' },
  { kind: 'no-kind' },
  { taskId: '../x' },
  { revision: -1 },
  { at: 'soon' },
  { repeat: 0.5 },
])('%j is no wake-up of this function: noted, and not delivered again', async (changes) => {
  const { receive, handled, lines } = receiver();
  expect(await receive(changes)).toEqual({ status: 200, outcome: 'ignored' });
  expect(handled).toEqual([]);
  expect(lines.join()).toContain('not a wake-up of this function');
});

test('a body that is nothing at all is ignored', async () => {
  const { given } = receiver();
  for (const body of [undefined, null, 'x', [], Buffer.from('{}')]) {
    expect((await receiveWakeUp(given, {}, body)).status).toBe(200);
  }
});

describe('a wake-up that comes before its time', () => {
  test('by the difference of two clocks waits here, and a millisecond more than a timer may ring early', async () => {
    const { clock, receive, handled } = receiver();
    const receiving = receive({ at: clock.now() + 3_000 });
    await clock.advance(3_000);
    expect(handled).toHaveLength(0);
    await clock.advance(1);
    expect((await receiving).status).toBe(200);
    expect(handled).toHaveLength(1);
  });

  test('by days is handed over again, under another name than the one that is being delivered', async () => {
    const { clock, receive, handled, enqueued } = receiver();
    const received = await receive({ at: clock.now() + 3 * day });
    expect(received).toEqual({ status: 200, outcome: 'early' });
    expect([handled.length, enqueued]).toMatchObject([0, [{ repeat: 1_000_001 }]]);
  });

  test('is delivered again when it can not be handed over', async () => {
    const { clock, given, body } = receiver();
    const queue = { enqueue: () => Promise.reject(new Unavailable('the queue')) };
    const failing = { ...given, app: { ...given.app, queue } };
    const later = { ...body, at: clock.now() + 3 * day };
    expect((await receiveWakeUp(failing, {}, later)).status).toBe(503);
  });
});

describe('a caller', () => {
  test('that is not known is refused before its body is looked at', async () => {
    for (const [caller, status] of [
      ['unknown', 401],
      ['refused', 403],
    ] as const) {
      const { receive, handled } = receiver({ verify: async () => caller });
      expect(await receive()).toEqual({ status, outcome: 'refused' });
      expect(handled).toEqual([]);
    }
  });

  test('that can not be looked at for now is asked to come again', async () => {
    const verify = () => Promise.reject(new Unavailable('keys'));
    expect((await receiver({ verify }).receive()).status).toBe(503);
  });
});

test('a purge names others, and what is no id among them is left out', async () => {
  const { receive, handled } = receiver({ kinds: ['purge'] });
  const other = '00000000-0000-4000-8000-000000000002';
  expect(await receive({ kind: 'purge', also: [other, '../x'] })).toMatchObject({ status: 200 });
  expect(handled).toMatchObject([{ also: [other] }]);
});
