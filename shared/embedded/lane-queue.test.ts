import { expect, it } from 'vitest';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import type { TaskId } from '../domain/ids.ts';
import type { ObligationKind } from '../domain/obligations.ts';
import { LaneQueue } from './lane-queue.ts';

const wakeUp = (kind: ObligationKind, revision: number) => ({
  kind,
  revision,
  taskId: 'task' as TaskId,
  at: 0,
});

it('however many segments hang, projections are still made', async () => {
  const queue = new LaneQueue({
    clock: new VirtualClock(),
    log: { write: () => undefined },
    concurrency: 2,
  });
  const projected = Promise.withResolvers<number>();
  queue.start(async ({ kind, revision }) => {
    if (kind === 'run') await new Promise(() => undefined);
    projected.resolve(revision);
    return 'done';
  });
  for (let revision = 1; revision <= 10; revision += 1)
    await queue.enqueue(wakeUp('run', revision));
  await queue.enqueue(wakeUp('project', 11));
  expect(await projected.promise).toBe(11);
});

it('a place in the lane counts as a delivery, and a wake-up takes it when it is free again', async () => {
  const queue = new LaneQueue({
    clock: new VirtualClock(),
    log: { write: () => undefined },
    concurrency: 1,
  });
  expect(queue.reserve(), 'before deliveries begin').toBeUndefined();
  const delivered: number[] = [];
  queue.start(async ({ revision }) => {
    delivered.push(revision);
    return 'done';
  });
  const place = queue.reserve();
  expect(queue.reserve()).toBeUndefined();
  await queue.enqueue(wakeUp('run', 1));
  const work = Promise.withResolvers<void>();
  place?.use(() => work.promise);
  await new Promise((resolve) => setImmediate(resolve));
  expect(delivered).toEqual([]);
  work.resolve();
  await queue.idle();
  expect(delivered).toEqual([1]);
});

it('who waits for a place in the lane comes before what is accepted later', async () => {
  const queue = new LaneQueue({
    clock: new VirtualClock(),
    log: { write: () => undefined },
    concurrency: 1,
  });
  queue.start(async () => 'done');
  queue.reserve()?.free();
  await queue.enqueue(wakeUp('run', 1));
  await queue.enqueue(wakeUp('run', 2));
  expect(queue.reserve()).toBeUndefined();
  await queue.idle();
  const place = queue.reserve();
  expect(place).toBeDefined();
  place?.free();
  await queue.close(0);
  expect(queue.reserve(), 'when it is closed').toBeUndefined();
});
