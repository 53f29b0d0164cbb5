const SLICE = 50;

/**
 * So many operations a second, and no more. A call that comes too late for one slice of time gets
 * the next that has room, so it does not matter in which order the simulation asks.
 */
export class Limiter {
  readonly perSecond: number;
  readonly #room: number;
  readonly #taken: number[] = [];
  /** For a slice that is full, a later one that may have room. */
  readonly #skip: number[] = [];

  constructor(perSecond: number) {
    this.perSecond = perSecond;
    this.#room = (perSecond * SLICE) / 1_000;
  }

  /** When an operation that is asked for at `at` is let through. */
  take(at: number): number {
    const first = Math.floor(at / SLICE);
    let slice = first;
    while ((this.#taken[slice] ?? 0) + 1 > this.#roomOf(slice)) {
      slice = Math.max(this.#skip[slice] ?? 0, slice + 1);
    }
    // The next one that comes for the same time need not look at what is full.
    for (let full = first; full < slice; ) {
      const next = Math.max(this.#skip[full] ?? 0, full + 1);
      this.#skip[full] = slice;
      full = next;
    }
    this.#taken[slice] = (this.#taken[slice] ?? 0) + 1;
    return slice === first ? at : slice * SLICE;
  }

  /** Operations that were let through between two times, as a share of what could have been. */
  use(from: number, to: number): number {
    let taken = 0;
    for (let slice = Math.ceil(from / SLICE); slice < Math.floor(to / SLICE); slice += 1)
      taken += this.#taken[slice] ?? 0;
    return taken / ((this.perSecond * (to - from)) / 1_000);
  }

  /** A part of an operation that one slice has room for is carried to the next. */
  #roomOf(slice: number): number {
    return Math.floor((slice + 1) * this.#room + 1e-9) - Math.floor(slice * this.#room + 1e-9);
  }
}

/** Several of one kind, of which each operation needs a certain one. */
export class Limiters {
  readonly all: readonly Limiter[];

  constructor(count: number, perSecond: number) {
    this.all = Array.from({ length: count }, () => new Limiter(perSecond));
  }

  take(which: number, at: number): number {
    return this.all[which % this.all.length]?.take(at) ?? at;
  }

  get perSecond(): number {
    return this.all.reduce((sum, each) => sum + each.perSecond, 0);
  }

  use(from: number, to: number): number {
    return this.all.reduce((sum, each) => sum + each.use(from, to), 0) / this.all.length;
  }
}
