import { setImmediate } from 'node:timers/promises';

/** So many values are looked at in some milliseconds. */
const SHARE = 10_000;

/**
 * Long work in short turns. A function serves many requests on one thread: between two turns it
 * answers the others. Every turn throws the signal's reason when it is aborted.
 */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #work = 0;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Hands the thread on when enough was done since the last time; `work` counts values. */
  async after(work: number): Promise<void> {
    this.#work += work;
    if (this.#work < SHARE) return;
    this.#work = 0;
    await setImmediate();
    this.#signal?.throwIfAborted();
  }

  /** Visits every item; `each` is how many values an item has. */
  async visit<T>(items: readonly T[], each: number, visit: (item: T) => void): Promise<void> {
    const share = Math.max(1, Math.ceil(SHARE / Math.max(1, each)));
    for (let at = 0; at < items.length; at += share) {
      for (const item of items.slice(at, at + share)) visit(item);
      await this.after(share * each);
    }
  }
}
