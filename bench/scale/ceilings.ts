import type { Run } from '../../shared/domain/run.ts';
import { dueAt } from '../../shared/domain/obligations.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { MOST } from '../../shared/app/worker/purge-batches.ts';
import {
  type Assumptions,
  type Deployment,
  groupTime,
  handOverTime,
  sweptAtOnce,
} from './deployment.ts';
import { bucketMinutes, LIMITS, rampMinutes } from './limits.ts';
import { acceptedRow, claimedRow, completedRow, indexEnd, notedRow } from './rows.ts';

/** What one task needs, found by leading one row through its life. */
export interface Demand {
  /** Writes of the run's row, and those of them that go to either end of the index of due rows. */
  readonly rowWrites: number;
  readonly dueNow: number;
  readonly dueLater: number;
  /** Writes of the view, each of which moves the task in its caller's list. */
  readonly views: number;
  /** Reads and writes of documents of `runs`. */
  readonly runOperations: number;
  readonly objects: number;
  /** Seconds of a place in a worker, and of an open request at the edge. */
  readonly worker: number;
  readonly a2a: number;
}

export function demandOf(given: Assumptions): Demand {
  const { agent, commit, createTask, delivery, key, object, read } = given;
  const rows: Run[] = [acceptedRow('00000000-0000-4000-a000-000000000000', 0)];
  for (const next of [claimedRow, completedRow, notedRow]) {
    const last = rows.at(-1);
    const row = last && next(last, rows.length * 1_000);
    if (row !== undefined) rows.push(row);
  }
  const due = rows.map(dueAt);
  const ends = due.map((at, nth) => indexEnd(due[nth - 1] ?? null, at, nth * 1_000));
  const project = 2 * read + commit;
  const toViewed = delivery + read + key + commit + read + agent + read + commit + project;
  return {
    rowWrites: rows.length,
    dueNow: ends.filter((where) => where === 'now').length,
    dueLater: ends.filter((where) => where === 'later').length,
    views: agent > defaults.progressDelay ? 2 : 1,
    // Each of them is read before it is written; a claim reads twice.
    runOperations: 2 * rows.length,
    objects: 2,
    worker: (toViewed + 2 * object + read + commit) / 1_000,
    a2a: (key + read + commit + Math.min(createTask + toViewed, defaults.blockingCap)) / 1_000,
  };
}

/** Something that can be used up, and at how many tasks a second it is. */
export interface Ceiling {
  readonly name: string;
  readonly tasksPerSecond: number;
}

/** Lowest first: the first that lies below a load is what breaks first under it. */
export function ceilingsOf(deployment: Deployment, given: Assumptions): readonly Ceiling[] {
  const demand = demandOf(given);
  const workers = deployment.workerInstances * deployment.workerConcurrency;
  const perQueue = Math.floor(workers / deployment.queueShards);
  const queued = deployment.queueShards * Math.min(LIMITS.queueConcurrency, perQueue);
  const projectors = deployment.projectorInstances * deployment.projectorConcurrency;
  const index = deployment.shards * LIMITS.sequentialIndex;
  const all: readonly Ceiling[] = [
    {
      name: 'hand-over of purges',
      tasksPerSecond: (sweptAtOnce(deployment) * MOST * 1_000) / handOverTime(given),
    },
    {
      name: 'places in projectors',
      tasksPerSecond: (projectors * MOST * 1_000) / groupTime(MOST, given),
    },
    {
      name: "a caller's list index",
      tasksPerSecond:
        (deployment.callers * deployment.listShards * LIMITS.sequentialIndex) / demand.views,
    },
    { name: 'index of due rows', tasksPerSecond: index / Math.max(demand.dueNow, demand.dueLater) },
    {
      name: perQueue > LIMITS.queueConcurrency ? 'deliveries at once' : 'places in workers',
      tasksPerSecond: queued / demand.worker,
    },
    {
      name: 'dispatch rate of the queues',
      tasksPerSecond: deployment.queueShards * LIMITS.queueDispatches,
    },
    {
      name: 'open requests at the edge',
      tasksPerSecond: (deployment.a2aInstances * deployment.a2aConcurrency) / demand.a2a,
    },
    {
      name: 'processors of the edge',
      tasksPerSecond: (deployment.a2aInstances * 1_000) / given.a2aCpu,
    },
    {
      name: 'processors of the workers',
      tasksPerSecond: (deployment.workerInstances * 1_000) / given.workerCpu,
    },
    ...(deployment.warm === undefined
      ? []
      : [
          {
            name: 'ramp of a young collection',
            tasksPerSecond: rampRate(deployment.warm) / demand.runOperations,
          },
        ]),
  ];
  return all.toSorted((a, b) => a.tasksPerSecond - b.tasksPerSecond);
}

/** Operations a second that a collection may take, so many minutes after load came. */
export function rampRate(minutes: number): number {
  const { start, factor, minutes: step } = LIMITS.ramp;
  return start * factor ** Math.floor(minutes / step);
}

/** Minutes that a rise to this rate takes: of Firestore, and of the bucket. */
export function rises(rate: number, given: Assumptions): { firestore: number; bucket: number } {
  const { runOperations, objects } = demandOf(given);
  return {
    firestore: rampMinutes(rate * runOperations),
    bucket: bucketMinutes(rate * objects),
  };
}
