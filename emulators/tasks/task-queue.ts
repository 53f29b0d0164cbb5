import { status } from '@grpc/grpc-js';
import type { Millis } from '../../shared/domain/brand.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Answer } from './dispatch.ts';
import { backoffAfter, burstOf, isExhausted, type QueueConfig } from './queue-config.ts';
import { notFound, Refusal } from './refusal.ts';
import { requireValid, type Task, type TaskDraft } from './task.ts';

/**
 * Each may happen, too, to the real one: at least once, and an answer can get lost. `swallowed` is
 * what must not happen.
 */
export type DeliveryFault = 'duplicate' | 'lost-answer' | 'swallowed';

export interface QueueWorld {
  readonly clock: Clock;
  readonly deliver: (task: Task) => Promise<Answer | undefined>;
  readonly fault: (task: Task) => DeliveryFault | undefined;
  readonly changed: () => void;
}

/**
 * "~1hour" (cloudtasks.proto, CreateTaskRequest.task): a name stays taken that long after its task
 * is gone.
 */
const TOMBSTONE = 3_600_000;

/**
 * One queue. Not emulated: the slow start of a new queue, the throttling of a whole queue after
 * errors, and queues whose own name is taken for days after their deletion.
 */
export class TaskQueue {
  readonly name: string;
  readonly tasks = new Map<string, Task>();
  config: QueueConfig;
  paused = false;
  readonly #world: QueueWorld;
  readonly #tombstones = new Map<string, Millis>();
  #running = 0;
  #unnamed = 0;
  #tokens: number;
  #refilledAt: Millis;
  #cancelTimer = () => {};

  constructor(name: string, config: QueueConfig, world: QueueWorld) {
    this.name = name;
    this.config = config;
    this.#world = world;
    this.#tokens = burstOf(config);
    this.#refilledAt = world.clock.now();
  }

  create(draft: TaskDraft): Task {
    const now = this.#world.clock.now();
    requireValid(draft, this.name, now);
    this.#unnamed += 1;
    const name = draft.name === '' ? `${this.name}/tasks/${now}-${this.#unnamed}` : draft.name;
    if (this.tasks.has(name) || (this.#tombstones.get(name) ?? 0) > now) {
      throw new Refusal(status.ALREADY_EXISTS, 'A task with this name existed too recently.');
    }
    const task: Task = {
      name,
      target: draft.target,
      dispatchDeadline: draft.dispatchDeadline,
      createTime: now,
      scheduleTime: Math.max(draft.scheduleTime ?? now, now),
      dispatchCount: 0,
      responseCount: 0,
      executionCount: 0,
      first: undefined,
      last: undefined,
      running: false,
    };
    this.tasks.set(name, task);
    this.pump();
    return task;
  }

  find(name: string): Task {
    const task = this.tasks.get(name);
    if (task === undefined) throw notFound('The task does not exist, or no longer.');
    return task;
  }

  /** An attempt that runs goes on; its answer means nothing any more. */
  remove(task: Task): void {
    this.tasks.delete(task.name);
    this.#tombstones.set(task.name, this.#world.clock.now() + TOMBSTONE);
    this.#world.changed();
  }

  /** Something runs, or would now if there were room. */
  get busy(): boolean {
    const now = this.#world.clock.now();
    if (this.#running > 0) return true;
    return !this.paused && [...this.tasks.values()].some((task) => task.scheduleTime <= now);
  }

  stop(): void {
    this.paused = true;
    this.#cancelTimer();
  }

  /**
   * Dispatches what is due, as far as concurrency and the token bucket allow (queue.proto,
   * RateLimits).
   */
  pump(): void {
    this.#cancelTimer();
    const { clock } = this.#world;
    const now = clock.now();
    const perMilli = this.config.maxDispatchesPerSecond / 1_000;
    const refilled = this.#tokens + (now - this.#refilledAt) * perMilli;
    this.#tokens = Math.min(burstOf(this.config), refilled);
    this.#refilledAt = now;
    if (this.paused) return this.#world.changed();
    const waiting = [...this.tasks.values()].filter((task) => !task.running);
    for (const task of waiting.sort((a, b) => a.scheduleTime - b.scheduleTime)) {
      if (this.#running >= this.config.maxConcurrentDispatches) break;
      const until =
        task.scheduleTime > now ? task.scheduleTime - now : (1 - this.#tokens) / perMilli;
      if (until > 0) {
        this.#cancelTimer = clock.after(Math.ceil(until), () => this.pump());
        break;
      }
      this.#tokens -= 1;
      this.attempt(task);
    }
    this.#world.changed();
  }

  attempt(task: Task): void {
    const { clock, deliver, fault: faultOf } = this.#world;
    const dispatchTime = clock.now();
    task.running = true;
    task.dispatchCount += 1;
    this.#running += 1;
    const fault = faultOf(task);
    const swallowed: Answer = { status: 200, retryAfter: undefined };
    const delivery = fault === 'swallowed' ? Promise.resolve(swallowed) : deliver(task);
    void delivery.then((answer) => {
      this.#running -= 1;
      task.running = false;
      const heard = fault === 'lost-answer' ? undefined : answer;
      this.#settle(task, dispatchTime, heard, fault === 'duplicate');
      this.pump();
    });
  }

  #settle(task: Task, dispatchTime: Millis, answer: Answer | undefined, duplicate: boolean): void {
    const now = this.#world.clock.now();
    const code = answer?.status;
    const attempt = {
      dispatchTime,
      responseTime: now,
      ...(code !== undefined && { status: code }),
    };
    task.first ??= attempt;
    task.last = attempt;
    if (code !== undefined) task.responseCount += 1;
    if (code !== undefined && code < 500) task.executionCount += 1;
    if (this.tasks.get(task.name) !== task) return;
    const succeeded = code !== undefined && code >= 200 && code < 300;
    if (succeeded && duplicate) {
      task.scheduleTime = now;
      return;
    }
    const sinceFirst = now - task.first.dispatchTime;
    if (succeeded || isExhausted(this.config, task.dispatchCount, sinceFirst)) {
      return this.remove(task);
    }
    const pause = backoffAfter(this.config, task.dispatchCount);
    task.scheduleTime = now + Math.max(pause, millisOf(answer?.retryAfter, now));
  }
}

/**
 * "The retry specified in the Retry-After HTTP response header is considered" (target.proto):
 * seconds or a date.
 */
function millisOf(retryAfter: string | undefined, now: Millis): Millis {
  if (retryAfter === undefined) return 0;
  const seconds = Number(retryAfter);
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(retryAfter) - now || 0) : seconds * 1_000;
}
