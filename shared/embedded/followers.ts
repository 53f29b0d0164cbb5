/** One reader that waits for news of a collection. */
export interface Follower {
  /**
   * Resolves at the next news, at once if there were some since the last call, or when the signal
   * aborts.
   */
  news(): Promise<void>;
  close(): void;
}

/**
 * The readers that wait, by collection. Commits of this process wake them at once; commits of other
 * processes are found by one poll for all of them, which runs only while a reader waits.
 */
export class Followers {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #changedElsewhere: () => boolean;
  readonly #pace: number;
  #poll: NodeJS.Timeout | undefined;

  /** `changedElsewhere` says whether another process has committed since its last call. */
  constructor(changedElsewhere: () => boolean, pace: number) {
    this.#changedElsewhere = changedElsewhere;
    this.#pace = pace;
  }

  follow(collection: string, signal: AbortSignal): Follower {
    let fresh = false;
    let wake: (() => void) | undefined;
    const ring = () => {
      fresh = true;
      wake?.();
    };
    this.#add(collection, ring);
    signal.addEventListener('abort', ring);
    return {
      news: () =>
        new Promise<void>((resolve) => {
          wake = () => {
            fresh = false;
            wake = undefined;
            resolve();
          };
          if (fresh || signal.aborted) wake();
        }),
      close: () => {
        signal.removeEventListener('abort', ring);
        this.#remove(collection, ring);
      },
    };
  }

  tell(collection: string): void {
    const rings = this.#waiting.get(collection);
    if (rings !== undefined) for (const ring of rings) ring();
  }

  /** Ends the poll and wakes every reader, to find the database closed. */
  close(): void {
    this.#stop();
    this.#tellAll();
  }

  #tellAll(): void {
    for (const rings of this.#waiting.values()) for (const ring of rings) ring();
  }

  #add(collection: string, ring: () => void): void {
    const rings = this.#waiting.get(collection);
    if (rings === undefined) this.#waiting.set(collection, new Set([ring]));
    else rings.add(ring);
    this.#poll ??= this.#start();
  }

  #remove(collection: string, ring: () => void): void {
    const rings = this.#waiting.get(collection);
    rings?.delete(ring);
    if (rings?.size === 0) this.#waiting.delete(collection);
    if (this.#waiting.size === 0) this.#stop();
  }

  #start(): NodeJS.Timeout {
    // What was committed until now is seen by the first reading, which comes after this.
    this.#changedElsewhere();
    const poll = setInterval(() => {
      if (this.#changedElsewhere()) this.#tellAll();
    }, this.#pace);
    return poll.unref();
  }

  #stop(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }
}
