import { placeIn } from '../../shared/app/records/shards.ts';
import { MOST } from '../../shared/app/worker/purge-batches.ts';
import type { Run } from '../../shared/domain/run.ts';
import { dueAt } from '../../shared/domain/obligations.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { type Ceiling, ceilingsOf, rampRate } from './ceilings.ts';
import {
  type Assumptions,
  type Deployment,
  groupTime,
  handOverTime,
  sweptAtOnce,
} from './deployment.ts';
import { EventHeap } from './event-heap.ts';
import { Limiter, Limiters } from './limiter.ts';
import { LIMITS } from './limits.ts';
import { Line, Places } from './line.ts';
import { type Measured, Measures } from './measures.ts';
import { seeded, taskIdFrom } from './random.ts';
import { acceptedRow, claimedRow, completedRow, indexEnd, notedRow, queueOf } from './rows.ts';

export interface Load {
  /** Tasks offered in a second, at random times. */
  readonly rate: number;
  readonly seconds: number;
  readonly seed: number;
}

const QUEUED = 0;
const CLAIM = 1;
const COMPLETE = 2;
const VIEWED = 3;
const RELEASED = 4;
const TICK = 5;
const HANDED_OVER = 6;
const PURGED = 7;
const KINDS = 8;

interface Task {
  readonly id: string;
  readonly acceptedAt: number;
  row: Run;
  /** When the row is due, as the index holds it. */
  due: number | null;
  queue: number;
  deliveredAt: number;
  answered: boolean;
}

export interface Outcome extends Measured {
  readonly ceilings: readonly Ceiling[];
  /** Deliveries at work, on average over the second half. */
  readonly atWork: number;
  /** Share of each thing that was used over the second half. */
  readonly use: Readonly<Record<string, number>>;
}

/**
 * Blocking calls to one deployment: accepted, queued, delivered, claimed, worked on, completed,
 * projected, archived, noted. The row goes through the project's own transitions, its obligations
 * say what is due, and its ids say which queue and which end of an index take it; Google's limits
 * make it wait. Instances are there when they are needed: cold starts are not simulated.
 */
export function simulate(load: Load, deployment: Deployment, given: Assumptions): Outcome {
  const end = load.seconds * 1_000;
  const random = seeded(load.seed);
  const about = (span: number): number => span * (1 + (2 * random() - 1) * given.spread);
  const events = new EventHeap();
  const measures = new Measures(end);
  const { half } = measures;
  const tasks: (Task | undefined)[] = [];

  const a2a = new Places(deployment.a2aInstances * deployment.a2aConcurrency, half);
  const arrived = new Line();
  const workers = deployment.workerInstances * deployment.workerConcurrency;
  const atWork = new Places(workers, half);
  const a2aCpu = new Limiter((deployment.a2aInstances * 1_000) / given.a2aCpu);
  const workerCpu = new Limiter((deployment.workerInstances * 1_000) / given.workerCpu);
  const dueNow = new Limiters(deployment.shards, LIMITS.sequentialIndex);
  const dueLater = new Limiters(deployment.shards, LIMITS.sequentialIndex);
  const listRanges = deployment.callers * deployment.listShards;
  const lists = new Limiters(listRanges, LIMITS.sequentialIndex);
  const { warm } = deployment;
  const runs = warm === undefined ? undefined : new Limiter(rampRate(warm));
  // A queue takes no more at once than its share of what its function can
  // (terraform/modules/holdfast/queues.tf).
  const share = Math.max(1, Math.floor(workers / deployment.queueShards));
  const queues = Array.from({ length: deployment.queueShards }, () => ({
    line: new Line(),
    rate: new Limiter(LIMITS.queueDispatches),
    places: new Places(Math.min(LIMITS.queueConcurrency, share), half),
    ticking: false,
  }));
  const projectors = deployment.projectorInstances * deployment.projectorConcurrency;
  /** As many come to the end of their retention as are accepted. */
  const sweeper = { waiting: 0, places: new Places(sweptAtOnce(deployment), half) };
  /** Groups, by how many each has. */
  const purge = { waiting: new Line(), places: new Places(projectors, half) };

  const schedule = (time: number, kind: number, of: number): void =>
    events.push(time, of * KINDS + kind);

  const rowShard = (id: string): number => placeIn({ runs: deployment.shards, lists: 1 }, id).shard;

  /** A write of the row: when it may be made, given what its index and a young collection take. */
  function write({ id, due }: Pick<Task, 'id' | 'due'>, next: number | null, at: number): number {
    const where = indexEnd(due, next, at);
    let granted = at;
    if (where === 'now') granted = dueNow.take(rowShard(id), at);
    if (where === 'later') granted = dueLater.take(rowShard(id), at);
    // A look and a write each time.
    return runs === undefined ? granted : Math.max(granted, runs.take(at), runs.take(at));
  }

  function change(task: Task, next: Run, at: number): number {
    const due = dueAt(next);
    const granted = write(task, due, at);
    task.row = next;
    task.due = due;
    return granted + about(given.commit);
  }

  /** A projection: view and journal entry. */
  function project(of: number, at: number): number {
    const granted = lists.take(of % listRanges, at + 2 * about(given.read));
    return granted + about(given.commit);
  }

  function accept(now: number): void {
    a2a.change(1, now);
    const began = a2aCpu.take(now) + about(given.key) + about(given.read);
    const of = tasks.length;
    const id = taskIdFrom(random);
    const row = acceptedRow(id, began);
    const due = dueAt(row);
    const acceptedAt = write({ id, due: null }, due, began) + about(given.commit);
    tasks.push({ id, acceptedAt, row, due, queue: 0, deliveredAt: 0, answered: false });
    measures.count('accepted', acceptedAt);
    schedule(acceptedAt + about(given.createTask), QUEUED, of);
  }

  function dispatch(shardOfQueue: number, now: number): void {
    const queue = queues[shardOfQueue];
    if (queue === undefined || queue.ticking || !queue.places.free) return;
    const of = queue.line.length === 0 ? undefined : queue.line.take();
    const task = of === undefined ? undefined : tasks[of];
    if (of === undefined || task === undefined) return;
    queue.places.change(1, now);
    atWork.change(1, now);
    const at = queue.rate.take(now);
    task.deliveredAt = now;
    schedule(at + about(given.delivery) + about(given.read), CLAIM, of);
    if (at === now) return dispatch(shardOfQueue, now);
    // The rate is used up: the next look is when it is not.
    queue.ticking = true;
    schedule(at, TICK, shardOfQueue);
  }

  function answer(task: Task, now: number): void {
    if (task.answered) return;
    task.answered = true;
    a2a.change(-1, now);
    if (arrived.take() !== undefined) accept(now);
  }

  function handOver(now: number): void {
    // A sweep finds what became due in a minute: its groups are full.
    while (sweeper.waiting >= MOST && sweeper.places.free) {
      sweeper.waiting -= MOST;
      sweeper.places.change(1, now);
      schedule(now + about(handOverTime(given)), HANDED_OVER, MOST);
    }
  }

  function startPurging(now: number): void {
    while (purge.waiting.length > 0 && purge.places.free) {
      const size = purge.waiting.take() ?? 0;
      purge.places.change(1, now);
      schedule(now + about(groupTime(size, given)), PURGED, size);
    }
  }

  function handle(kind: number, of: number, now: number): void {
    if (kind === TICK) {
      const queue = queues[of];
      if (queue !== undefined) queue.ticking = false;
      return dispatch(of, now);
    }
    if (kind === HANDED_OVER) {
      sweeper.places.change(-1, now);
      purge.waiting.add(of);
      startPurging(now);
      return handOver(now);
    }
    if (kind === PURGED) {
      purge.places.change(-1, now);
      measures.count('purged', now, of);
      return startPurging(now);
    }
    const task = tasks[of];
    if (task === undefined) return;
    switch (kind) {
      case QUEUED: {
        task.queue = queueOf(task.row, deployment.queueShards) ?? 0;
        queues[task.queue]?.line.add(of);
        return dispatch(task.queue, now);
      }
      case CLAIM: {
        const began = workerCpu.take(now);
        const next = claimedRow(task.row, began);
        if (next === undefined) throw new Error(`a ${task.row.status} row was delivered`);
        const claimedAt = change(task, next, began + about(given.key));
        measures.claimed(task.acceptedAt, claimedAt);
        if (given.agent > defaults.progressDelay) project(of, claimedAt + defaults.progressDelay);
        return schedule(claimedAt + about(given.read) + about(given.agent), COMPLETE, of);
      }
      case COMPLETE: {
        const next = completedRow(task.row, now);
        if (next === undefined) throw new Error(`a ${task.row.status} row was completed`);
        const completedAt = change(task, next, now + about(given.read));
        const viewedAt = project(of, completedAt);
        measures.completed(task.acceptedAt, viewedAt);
        schedule(viewedAt, VIEWED, of);
        const archivedAt = viewedAt + about(given.object) + about(given.object);
        const noted = change(task, notedRow(next), archivedAt + about(given.read));
        return schedule(noted, RELEASED, of);
      }
      case VIEWED:
        return answer(task, now);
      case RELEASED: {
        queues[task.queue]?.places.change(-1, now);
        atWork.change(-1, now);
        measures.released(task.deliveredAt, now);
        tasks[of] = undefined;
        return dispatch(task.queue, now);
      }
    }
  }

  let oldest = 0;
  const gap = (): number => (-Math.log(1 - random()) / load.rate) * 1_000;
  for (let arrival = gap(); ; ) {
    // Calls that were not answered in time are answered with the task as it stands; in the order in
    // which they came.
    const waiting = tasks[oldest];
    const cap =
      oldest < tasks.length && waiting !== undefined
        ? waiting.acceptedAt + defaults.blockingCap
        : Number.POSITIVE_INFINITY;
    if (oldest < tasks.length && (waiting === undefined || waiting.answered)) {
      oldest += 1;
      continue;
    }
    const now = Math.min(arrival, events.next, cap);
    if (now >= end) break;
    if (now === cap && waiting !== undefined) {
      answer(waiting, now);
    } else if (now === arrival) {
      measures.count('offered', now);
      sweeper.waiting += 1;
      handOver(now);
      if (a2a.free) accept(now);
      else arrived.add(0);
      arrival += gap();
    } else {
      const event = events.pop();
      handle(event % KINDS, Math.floor(event / KINDS), now);
    }
  }
  const within = [half, end] as const;
  return {
    ...measures.measured(),
    ceilings: ceilingsOf(deployment, given),
    atWork: atWork.mean(end),
    use: {
      'open requests': a2a.use(end),
      'processors of the edge': a2aCpu.use(...within),
      'places in workers': atWork.use(end),
      'processors of the workers': workerCpu.use(...within),
      'dispatch rate': mean(queues.map(({ rate }) => rate.use(...within))),
      'index of due rows': Math.max(dueNow.use(...within), dueLater.use(...within)),
      "a caller's list index": lists.use(...within),
      'hand-over of purges': sweeper.places.use(end),
      'places in projectors': purge.places.use(end),
    },
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
