/** Milliseconds; Infinity is longer than the simulation could see. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export interface Measured {
  /** In a second, over the second half. */
  readonly offered: number;
  readonly accepted: number;
  readonly completed: number;
  readonly purged: number;
  /** Of the tasks that were accepted between a fifth and a half of the time. */
  readonly toClaimed: Percentiles;
  readonly toCompleted: Percentiles;
  /** How long a delivery was at work, on average, in seconds. */
  readonly held: number;
}

/**
 * Counts over the second half of the time; how long things took, of tasks that began early enough
 * to be seen to their end.
 */
export class Measures {
  readonly half: number;
  readonly #from: number;
  readonly #end: number;
  readonly #counts = { offered: 0, accepted: 0, completed: 0, purged: 0 };
  #watched = 0;
  readonly #claims: number[] = [];
  readonly #completions: number[] = [];
  #released = 0;
  #held = 0;

  constructor(end: number) {
    this.#end = end;
    this.half = end / 2;
    this.#from = end / 5;
  }

  count(what: 'offered' | 'accepted' | 'completed' | 'purged', at: number, by = 1): void {
    if (at >= this.half && at < this.#end) this.#counts[what] += by;
    if (what === 'accepted' && this.#watches(at)) this.#watched += 1;
  }

  claimed(acceptedAt: number, at: number): void {
    if (this.#watches(acceptedAt) && at < this.#end) this.#claims.push(at - acceptedAt);
  }

  completed(acceptedAt: number, at: number): void {
    this.count('completed', at);
    if (this.#watches(acceptedAt) && at < this.#end) this.#completions.push(at - acceptedAt);
  }

  released(deliveredAt: number, now: number): void {
    if (now < this.half) return;
    this.#released += 1;
    this.#held += now - deliveredAt;
  }

  measured(): Measured {
    const seconds = (this.#end - this.half) / 1_000;
    const { offered, accepted, completed, purged } = this.#counts;
    return {
      offered: offered / seconds,
      accepted: accepted / seconds,
      completed: completed / seconds,
      purged: purged / seconds,
      toClaimed: this.#percentiles(this.#claims),
      toCompleted: this.#percentiles(this.#completions),
      held: this.#held / this.#released / 1_000,
    };
  }

  #watches(acceptedAt: number): boolean {
    return acceptedAt >= this.#from && acceptedAt < this.half;
  }

  #percentiles(seen: readonly number[]): Percentiles {
    const sorted = Float64Array.from(seen).sort();
    const at = (share: number): number =>
      sorted[Math.floor(share * (this.#watched - 1))] ?? Number.POSITIVE_INFINITY;
    return { p50: at(0.5), p99: at(0.99) };
  }
}
