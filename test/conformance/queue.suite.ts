import { describe, expect, onTestFinished, test } from 'vitest';
import { taskId } from '../../shared/domain/ids.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Delivered, Queue, WakeUp, WakeUpHandler } from '../../shared/ports/queue.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';

export interface OpenedQueue {
  readonly queue: Queue;
  /** Deliveries begin; at most `concurrency` at once. */
  readonly start: (handler: WakeUpHandler) => void;
  /** Nothing runs and nothing is due. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}
export interface QueueSetting {
  readonly clock: VirtualClock;
  readonly log: Log;
  readonly concurrency: number;
}

/**
 * Wake-ups under a virtual clock. The handler is in this process; what lies between it and the
 * queue need not be.
 */
export function queueSuite(
  name: string,
  open: (setting: QueueSetting) => OpenedQueue | Promise<OpenedQueue>,
): void {
  describe(`${name}: wake-ups`, () => {
    const ids = seededIds();

    async function setting(concurrency = 4) {
      const clock = new VirtualClock();
      const lines: string[] = [];
      const log: Log = { write: (...line) => lines.push(JSON.stringify(line)) };
      const opened = await open({ clock, log, concurrency });
      onTestFinished(() => opened.close());
      const wakeUp = (delay = 0): WakeUp => {
        const id = taskId(ids.uuid());
        if (id === undefined) throw new Error('the seed makes UUIDs');
        return { kind: 'run', taskId: id, revision: 1, at: clock.now() + delay };
      };
      return { ...opened, clock, lines, wakeUp };
    }

    /** Notes what it is woken for, and answers as told. */
    function recorder(answers: readonly (Delivered | Error)[] = []) {
      const seen: WakeUp[] = [];
      const handler: WakeUpHandler = async (wakeUp) => {
        const answer = answers[seen.length] ?? 'done';
        seen.push(wakeUp);
        if (answer instanceof Error) throw answer;
        return answer;
      };
      return { seen, handler };
    }

    test('a wake-up is delivered once, as it was given', async () => {
      const { queue, start, idle, clock, wakeUp } = await setting();
      const { seen, handler } = recorder();
      start(handler);
      const given = wakeUp();
      await queue.enqueue(given);
      await idle();
      await clock.advance(3_600_000);
      expect(seen).toEqual([given]);
    });

    test('what came before the start is delivered after it', async () => {
      const { queue, start, idle, wakeUp } = await setting();
      const { seen, handler } = recorder();
      const given = [wakeUp(), wakeUp(-5_000), wakeUp()];
      for (const each of given) await queue.enqueue(each);
      start(handler);
      await idle();
      // In any order.
      expect(new Set(seen)).toEqual(new Set(given));
      expect(seen).toHaveLength(3);
    });

    test('a wake-up for later comes at its time and not before', async () => {
      const { queue, start, idle, clock, wakeUp } = await setting();
      const { seen, handler } = recorder();
      start(handler);
      await queue.enqueue(wakeUp(60_000));
      await queue.enqueue(wakeUp(10_000));
      await clock.advance(9_999);
      expect(seen).toHaveLength(0);
      await clock.advance(1);
      await idle();
      expect(seen).toHaveLength(1);
      await clock.advance(50_000);
      await idle();
      expect(seen).toHaveLength(2);
    });

    test('a wake-up that waits already is dropped, one of another revision or time is not', async () => {
      const { queue, start, idle, clock, wakeUp } = await setting();
      const { seen, handler } = recorder();
      const given = wakeUp(1_000);
      const others: WakeUp[] = [
        { ...given, revision: 2 },
        { ...given, at: given.at + 1 },
        { ...given, kind: 'project' },
      ];
      for (const each of [given, given, ...others, { ...given }]) await queue.enqueue(each);
      start(handler);
      await clock.advance(2_000);
      await idle();
      expect(seen).toHaveLength(4);
    });

    test('a repeated wake-up is delivered, also while or after its twin was', async () => {
      const { queue, start, idle, wakeUp } = await setting();
      const given = wakeUp();
      let deliveries = 0;
      start(async () => {
        deliveries += 1;
        if (deliveries === 1) await queue.enqueue({ ...given, repeat: 1 });
        return 'done';
      });
      await queue.enqueue(given);
      await idle();
      expect(deliveries).toBe(2);
      await queue.enqueue({ ...given, repeat: 2 });
      await idle();
      expect(deliveries).toBe(3);
    });

    test('no more handlers run at once than allowed, and all get their turn', async () => {
      const { queue, start, idle, wakeUp } = await setting(3);
      const latch = Promise.withResolvers<void>();
      const full = Promise.withResolvers<void>();
      let [running, most, ended] = [0, 0, 0];
      start(async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 3) full.resolve();
        await latch.promise;
        running -= 1;
        ended += 1;
        return 'done';
      });
      for (let n = 0; n < 10; n += 1) await queue.enqueue(wakeUp());
      await full.promise;
      latch.resolve();
      await idle();
      expect([most, ended]).toEqual([3, 10]);
    });

    test('again means again, each time after a longer pause', async () => {
      const { queue, start, idle, clock, wakeUp } = await setting();
      const times: number[] = [];
      start(async () => {
        times.push(clock.now());
        return times.length < 4 ? 'again' : 'done';
      });
      await queue.enqueue(wakeUp());
      // In small steps: where a delivery takes real time, the virtual one must not run away from
      // it.
      for (let n = 0; n < 200; n += 1) {
        await idle();
        await clock.advance(50);
      }
      expect(times).toHaveLength(4);
      const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      expect(pauses[0]).toBeGreaterThan(0);
      expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0);
      expect(pauses[2]).toBeGreaterThan(pauses[1] ?? 0);
    });

    test('a handler that throws is delivered to again, and the log names no words of the fault', async () => {
      const { queue, start, idle, clock, lines, wakeUp } = await setting();
      const { seen, handler } = recorder([new RangeError('the secret of a task')]);
      start(handler);
      const given = wakeUp();
      await queue.enqueue(given);
      await idle();
      await clock.advance(60_000);
      await idle();
      expect(seen).toEqual([given, given]);
      expect(lines.join()).toContain('RangeError');
      expect(lines.join()).toContain(given.taskId);
      expect(lines.join()).not.toContain('secret');
    });

    test('a handler that fails holds no other delivery up', async () => {
      const { queue, start, idle, wakeUp } = await setting(1);
      const { seen, handler } = recorder(['again']);
      start(handler);
      const [first, second] = [wakeUp(), wakeUp()];
      await queue.enqueue(first);
      await queue.enqueue(second);
      await idle();
      expect(seen).toEqual([first, second]);
    });

    test('closing waits for what runs, delivers nothing more and takes nothing more', async () => {
      const { queue, start, close, clock, wakeUp } = await setting(1);
      const [begun, latch] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const events: string[] = [];
      start(async () => {
        begun.resolve();
        await latch.promise;
        events.push('handled');
        return 'again';
      });
      for (const delay of [0, 0, 1_000]) await queue.enqueue(wakeUp(delay));
      await begun.promise;
      const closing = close().then(() => events.push('closed'));
      await expect(queue.enqueue(wakeUp())).rejects.toMatchObject({ name: 'Unavailable' });
      latch.resolve();
      await closing;
      await clock.advance(3_600_000);
      expect(events).toEqual(['handled', 'closed']);
      expect(clock.waiting).toBe(0);
    });
  });
}
