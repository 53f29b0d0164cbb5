import { compositeKey } from '../../domain/digest.ts';
import type { WakeUp, WakeUpKind } from '../../ports/queue.ts';

/** Retry and rate settings belong to a queue, so each kind of work has its own. */
export const QUEUE_NAMES = ['runs', 'projections', 'polls', 'pushes'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export const ROUTES: Readonly<Record<WakeUpKind, QueueName>> = {
  run: 'runs',
  'check-lease': 'runs',
  deadline: 'runs',
  project: 'projections',
  purge: 'projections',
  files: 'projections',
  trail: 'projections',
  poll: 'polls',
  'dependency-deadline': 'polls',
  'cancel-remote': 'polls',
  push: 'pushes',
  notice: 'pushes',
};

/**
 * The id of one shard of a queue. The generation is part of it because the id of a deleted queue is
 * taken for days; raise it to replace a queue.
 */
export function queueId(name: string, generation: string, shard: number): string {
  return `${name}-${generation}-${shard}`;
}

/**
 * A queue dispatches 500 tasks a second at most; a deployment that needs more has several, and a
 * task stays with its own.
 */
export function shardOf({ taskId }: Pick<WakeUp, 'taskId'>, shards: number): number {
  return Number.parseInt(compositeKey('queue shard', taskId).slice(0, 8), 16) % shards;
}

/**
 * The id under which a wake-up is known, also for about an hour after it was delivered. Hashed:
 * sequential ids slow every call of a queue down (cloudtasks.proto, CreateTaskRequest). `leg`
 * counts the hops of a wake-up that is further ahead than a task can be scheduled.
 */
export function taskIdOf(wakeUp: WakeUp, generation: string, leg: number): string {
  const { kind, taskId, revision, at, repeat = 0, also = [], target, webhook } = wakeUp;
  const numbers = [revision, at, repeat, leg].map(String);
  return compositeKey(
    'wake-up',
    generation,
    kind,
    taskId,
    ...numbers,
    ...also,
    ...(webhook === undefined ? [] : ['webhook', webhook]),
    ...(target === undefined ? [] : ['target', target]),
  );
}
