import type { Millis } from '../../shared/domain/brand.ts';
import type { Clock } from '../../shared/ports/clock.ts';

interface Timer {
  readonly at: Millis;
  readonly callback: () => void;
}

/** Time that passes only when a test says so. */
export class ManualClock implements Clock {
  #now: Millis;
  readonly #timers = new Set<Timer>();

  constructor(start: Millis = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): Millis {
    return this.#now;
  }

  after(span: Millis, callback: () => void): () => void {
    const timer = { at: this.#now + span, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  sleep(span: Millis, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.after(span, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }

  /** Lets that much time pass and fires what falls due, in order of time. */
  advance(span: Millis): void {
    const end = this.#now + span;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }

  /** How many timers are set: a leak shows here. */
  get pending(): number {
    return this.#timers.size;
  }
}
