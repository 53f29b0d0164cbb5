import { expect, it } from 'vitest';
import { VirtualClock } from '../../test/doubles/virtual-clock.ts';
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
