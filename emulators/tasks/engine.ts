import { status } from '@grpc/grpc-js';
import type { Clock } from '../../shared/ports/clock.ts';
import { dispatch } from './dispatch.ts';
import type { IdTokens } from './id-tokens.ts';
import { DEFAULTS, type QueueConfig } from './queue-config.ts';
import { invalid, notFound, Refusal } from './refusal.ts';
import type { Task } from './task.ts';
import { type DeliveryFault, TaskQueue } from './task-queue.ts';

const NAME = /^projects\/[^/]+\/locations\/[^/]+\/queues\/[A-Za-z0-9-]{1,100}$/;

/** All queues, under a clock that may be virtual; the deliveries are real HTTP requests. */
export class TasksEngine {
  readonly queues = new Map<string, TaskQueue>();
  /** Asked before each delivery. */
  deliveryFault: ((task: Task) => DeliveryFault | undefined) | undefined;
  readonly #clock: Clock;
  readonly #tokens: IdTokens;
  readonly #closing = new AbortController();
  readonly #quiet = new Set<() => void>();

  constructor(clock: Clock, tokens: IdTokens) {
    this.#clock = clock;
    this.#tokens = tokens;
  }

  createQueue(name: string, config: Partial<QueueConfig> = {}): TaskQueue {
    if (!NAME.test(name)) throw invalid('Queue ID must be [A-Za-z0-9-]{1,100}');
    if (this.queues.has(name)) throw new Refusal(status.ALREADY_EXISTS, 'Queue already exists');
    const { signal } = this.#closing;
    const queue = new TaskQueue(
      name,
      { ...DEFAULTS, ...config },
      {
        clock: this.#clock,
        deliver: (task) => dispatch(task, { clock: this.#clock, tokens: this.#tokens, signal }),
        fault: (task) => this.deliveryFault?.(task),
        changed: () => this.#tellIfQuiet(),
      },
    );
    this.queues.set(name, queue);
    return queue;
  }

  queue(name: string): TaskQueue {
    const queue = this.queues.get(name);
    if (queue === undefined) throw notFound('Queue does not exist.');
    return queue;
  }

  queueOfTask(task: string): TaskQueue {
    return this.queue(task.split('/tasks/')[0] ?? '');
  }

  setPaused(name: string, paused: boolean): TaskQueue {
    const queue = this.queue(name);
    queue.paused = paused;
    queue.pump();
    return queue;
  }

  /**
   * "All tasks created before this method is called are permanently deleted" (cloudtasks.proto,
   * PurgeQueue).
   */
  purge(name: string): TaskQueue {
    const queue = this.queue(name);
    for (const task of queue.tasks.values()) queue.remove(task);
    return queue;
  }

  deleteQueue(name: string): void {
    this.purge(name).stop();
    this.queues.delete(name);
  }

  /**
   * Resolves when no delivery runs and none is due now; what is scheduled for later does not count.
   */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet.add(resolve);
      this.#tellIfQuiet();
    });
  }

  close(): void {
    this.#closing.abort();
    for (const queue of this.queues.values()) queue.stop();
  }

  #tellIfQuiet(): void {
    if (this.#quiet.size === 0 || [...this.queues.values()].some((queue) => queue.busy)) return;
    for (const resolve of this.#quiet) resolve();
    this.#quiet.clear();
  }
}
