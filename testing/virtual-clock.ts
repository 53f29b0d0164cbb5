import type { Millis } from '../shared/domain/brand.ts';
import type { Clock } from '../shared/ports/clock.ts';

interface Timer {
  readonly at: Millis;
  readonly ring: () => void;
}

/** Time that moves only when a test says so. */
export class VirtualClock implements Clock {
  #now: Millis;
  readonly #timers = new Set<Timer>();
  readonly #watchers = new Set<() => void>();
  #sleeping = 0;

  constructor(start: Millis = 1_800_000_000_000) {
    this.#now = start;
  }

  now(): Millis {
    return this.#now;
  }

  after(span: Millis, callback: () => void): () => void {
    const timer: Timer = { at: this.#now + Math.max(0, span), ring: callback };
    this.#timers.add(timer);
    for (const watch of this.#watchers) watch();
    return () => this.#timers.delete(timer);
  }

  sleep(span: Millis, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      this.#sleeping += 1;
      const end = () => {
        this.#sleeping -= 1;
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.after(span, end);
      signal?.addEventListener('abort', end);
    });
  }

  /**
   * Rings what falls due on the way, each at its time, and lets its consequences happen before the
   * next.
   */
  async advance(span: Millis): Promise<void> {
    const until = this.#now + span;
    await settled();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.ring();
      await settled();
    }
    this.#now = until;
  }

  /** When the next timer rings. Undefined: none waits. */
  get next(): Millis | undefined {
    return this.#next(Number.POSITIVE_INFINITY)?.at;
  }

  /** How many sleep: what awaits one of these goes on only when time passes. */
  get sleeping(): number {
    return this.#sleeping;
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Resolves when at least that many timers wait: what is to be woken has come to rest. */
  untilWaiting(count: number): Promise<void> {
    return new Promise((resolve) => {
      const watch = () => {
        if (this.#timers.size < count) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  #next(until: Millis): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** A timer of the machine, which keeps its process alive: what waits for it is waited for. */
export function machineTimer(span: Millis, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.max(0, span));
  return () => clearTimeout(timer);
}

/** One turn of the event loop: every promise that can resolve without I/O has. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Sleeps cost no time, they only move the clock: for code that pauses between attempts against a
 * real service.
 */
export function impatientClock(start: Millis = 1_800_000_000_000): Clock {
  let now = start;
  return {
    now: () => now,
    sleep: async (span) => {
      now += span;
      await settled();
    },
    after: (span, callback) => {
      const timer = setImmediate(() => {
        now += span;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}
