import type { CloudTasksClient } from '@google-cloud/tasks';
import type { Millis } from '../../domain/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import { Unavailable } from '../../ports/faults.ts';
import type { Queue, WakeUp } from '../../ports/queue.ts';
import { createConnection } from '../connection.ts';
import { repeatedCall } from '../repeated-call.ts';
import { openClient } from './client.ts';
import { faultOf, isKnown } from './outcome.ts';
import { type QueueName, queueId, ROUTES, shardOf, taskIdOf } from './route.ts';

export interface TasksQueueOptions {
  readonly project: string;
  readonly location: string;
  /** What the ids of each queue begin with; see queueId. */
  readonly queues: Readonly<Record<QueueName, string>>;
  readonly generation: string;
  /**
   * Queues of each name. Fewer or more of them at any time: a wake-up is found under its own
   * queue's id only, so it may come twice.
   */
  readonly shards?: number;
  /** The URL of the function behind each queue. */
  readonly targets: Readonly<Record<QueueName, string>>;
  /** Whose token a delivery carries. The caller of this adapter must be allowed to act as it. */
  readonly serviceAccount: string;
  /** Of that token; the target's URL unless given. */
  readonly audience?: string;
  readonly clock: Pick<Clock, 'now'>;
  /**
   * At this age of a delivery the queue delivers again, although the handler may still be at work.
   */
  readonly dispatchDeadline?: Millis;
  /** A call that has no answer after this many milliseconds is given up. */
  readonly deadline?: Millis;
  /** `host:port` of an emulator. */
  readonly endpoint?: string;
}

export interface TasksQueue extends Queue {
  close(): Promise<void>;
}

const DAY = 86_400_000;
/** Of the deadline: a creation takes some tens of milliseconds. */
const FIRST = 0.3;
/**
 * A task can be scheduled 30 days ahead (https://cloud.google.com/tasks/docs/quotas); what is later
 * goes in legs.
 */
const LEG = 29 * DAY;

/** Wake-ups by Cloud Tasks. Nothing is loaded or connected before the first one. */
export function createTasksQueue(options: TasksQueueOptions): TasksQueue {
  const { project, location, generation, shards = 1, deadline = 5_000, clock } = options;
  const first = deadline * FIRST;
  let closed = false;
  const connection = createConnection<CloudTasksClient>({
    what: 'Cloud Tasks',
    open: () => openClient({ ...options, projectId: project }),
    close: (client) => client.close(),
  });

  function requestFor(wakeUp: WakeUp) {
    const now = clock.now();
    const name = ROUTES[wakeUp.kind];
    const queue = queueId(options.queues[name], generation, shardOf(wakeUp, shards));
    const parent = `projects/${project}/locations/${location}/queues/${queue}`;
    const ahead = wakeUp.at - now;
    const leg = Math.max(0, Math.floor(ahead / LEG));
    const url = options.targets[name];
    return {
      parent,
      task: {
        name: `${parent}/tasks/${taskIdOf(wakeUp, generation, leg)}`,
        ...(ahead > 0 && { scheduleTime: timestamp(Math.min(wakeUp.at, now + LEG)) }),
        dispatchDeadline: { seconds: (options.dispatchDeadline ?? 10 * 60_000) / 1_000 },
        httpRequest: {
          url,
          httpMethod: 'POST' as const,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(wakeUp)),
          oidcToken: {
            serviceAccountEmail: options.serviceAccount,
            audience: options.audience ?? url,
          },
        },
      },
    };
  }

  return {
    async enqueue(wakeUp) {
      if (closed) throw new Unavailable('the queue, which is closed,');
      const request = requestFor(wakeUp);
      await connection.held();
      // Under its name a task is created once, however often it is asked for.
      await repeatedCall({ what: 'Cloud Tasks', deadline, first, faultOf }, async (timeout) => {
        try {
          await connection.ask((tasks) => tasks.createTask(request, { timeout }), timeout);
        } catch (error) {
          if (!isKnown(error)) throw error;
        }
      });
    },
    async close() {
      closed = true;
      await connection.close(deadline);
    },
  };
}

function timestamp(time: Millis): { seconds: number; nanos: number } {
  return { seconds: Math.floor(time / 1_000), nanos: Math.trunc(time % 1_000) * 1e6 };
}
