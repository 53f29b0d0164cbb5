import { backoff } from '../domain/backoff.ts';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import { Unavailable } from '../ports/faults.ts';
import type { Log } from '../ports/log.ts';
import type { Delivered, Place, Queue, WakeUp, WakeUpHandler } from '../ports/queue.ts';

export interface LocalQueueOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How many handlers run at once. */
  readonly concurrency?: number;
  /**
   * A wake-up for a later time than this is not kept: its row's `dueAt` brings it back through the
   * sweeper.
   */
  readonly horizon?: Millis;
  /** Pause before a second delivery; doubles with each, up to `backoffMax`. */
  readonly backoff?: Millis;
  readonly backoffMax?: Millis;
}

interface Waiting {
  readonly wakeUp: WakeUp;
  readonly key: string;
  readonly failures: number;
}

/**
 * The queue of one process. It keeps nothing beyond the process: the rows say what is due, and the
 * sweeper finds them. So a run that is due in a day takes no memory here until then.
 */
export class LocalQueue implements Queue {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #concurrency: number;
  readonly #horizon: Millis;
  readonly #backoff: Millis;
  readonly #backoffMax: Millis;
  readonly #known = new Set<string>();
  readonly #timers = new Set<() => void>();
  readonly #quiet = new Set<() => void>();
  #ready: Waiting[] = [];
  #head = 0;
  #running = 0;
  #handler: WakeUpHandler | undefined;
  #closed = false;

  constructor(options: LocalQueueOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#concurrency = options.concurrency ?? 64;
    this.#horizon = options.horizon ?? 10 * 60_000;
    this.#backoff = options.backoff ?? 250;
    this.#backoffMax = options.backoffMax ?? 30_000;
  }

  async enqueue(wakeUp: WakeUp): Promise<void> {
    if (this.#closed) throw new Unavailable('the queue, which is closed,');
    const { kind, taskId, revision, at, also = [], target = '', webhook = '' } = wakeUp;
    const key = [kind, taskId, revision, at, ...also, webhook, target].join(' ');
    const delay = wakeUp.at - this.#clock.now();
    if (this.#known.has(key) || delay > this.#horizon) return;
    this.#known.add(key);
    this.#put({ wakeUp, key, failures: 0 }, delay);
  }

  /** Deliveries begin. */
  start(handler: WakeUpHandler): void {
    this.#handler = handler;
    this.#deliver();
  }

  /** Undefined: all places are taken, or wake-ups wait for one, or nothing is delivered here. */
  reserve(): Place | undefined {
    const full = this.#running >= this.#concurrency || this.#head < this.#ready.length;
    if (full || this.#closed || this.#handler === undefined) return undefined;
    this.#running += 1;
    const free = (): void => {
      this.#running -= 1;
      this.#deliver();
    };
    return { free, use: (work) => void nextTurn().then(work).finally(free) };
  }

  /** Resolves when no delivery runs and none is due; wake-ups for later don't count. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet.add(resolve);
      this.#tellIfQuiet();
    });
  }

  /** Takes nothing more, forgets what waits, and gives what runs that long to end. */
  async close(span: Millis = 5_000): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#known.clear();
    this.#ready = [];
    this.#head = 0;
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#clock.after(span, resolve);
    });
    await Promise.race([this.idle(), late]);
    cancel();
  }

  #put(waiting: Waiting, delay: Millis): void {
    const due = () => {
      this.#ready.push(waiting);
      this.#deliver();
    };
    if (delay <= 0) return due();
    const cancel = this.#clock.after(delay, () => {
      this.#timers.delete(cancel);
      due();
    });
    this.#timers.add(cancel);
  }

  #deliver(): void {
    const handler = this.#handler;
    if (handler === undefined) return;
    while (this.#running < this.#concurrency) {
      const next = this.#take();
      if (next === undefined) break;
      // From here on the same wake-up counts as new: the row may change while the handler works.
      this.#known.delete(next.key);
      this.#running += 1;
      void this.#run(handler, next);
    }
    this.#tellIfQuiet();
  }

  /** An array with a moving head: shift() would move everything behind it. */
  #take(): Waiting | undefined {
    const next = this.#ready[this.#head];
    if (next === undefined) {
      this.#ready = [];
      this.#head = 0;
    } else this.#head += 1;
    return next;
  }

  async #run(handler: WakeUpHandler, waiting: Waiting): Promise<void> {
    const outcome = await this.#outcome(handler, waiting);
    this.#running -= 1;
    if (outcome === 'again' && !this.#closed && !this.#known.has(waiting.key)) {
      const pauses = { first: this.#backoff, most: this.#backoffMax };
      const pause = backoff(pauses, waiting.failures + 1);
      this.#known.add(waiting.key);
      this.#put({ ...waiting, failures: waiting.failures + 1 }, pause);
    }
    this.#deliver();
  }

  async #outcome(handler: WakeUpHandler, { wakeUp, failures }: Waiting): Promise<Delivered> {
    try {
      // The embedded store answers without leaving the turn, so a burst of deliveries would keep
      // out all other work.
      await nextTurn();
      return await handler(wakeUp);
    } catch (error) {
      // The name only: a message can hold what a task said.
      this.#log.write('error', 'wake-up failed', {
        kind: wakeUp.kind,
        taskId: wakeUp.taskId,
        revision: wakeUp.revision,
        failures: failures + 1,
        fault: error instanceof Error ? error.name : typeof error,
      });
      return 'again';
    }
  }

  #tellIfQuiet(): void {
    const due = this.#handler === undefined ? 0 : this.#ready.length - this.#head;
    if (this.#running > 0 || due > 0) return;
    for (const resolve of this.#quiet) resolve();
    this.#quiet.clear();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
