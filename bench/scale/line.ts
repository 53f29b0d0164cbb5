/** First in, first out, without moving what is in it. */
export class Line {
  readonly #items: number[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  add(item: number): void {
    this.#items.push(item);
  }

  take(): number | undefined {
    const item = this.#items[this.#head];
    if (item !== undefined) this.#head += 1;
    return item;
  }
}

/** How many of so many places are taken, and for how long. */
export class Places {
  readonly capacity: number;
  taken = 0;
  #since = 0;
  /** The integral of `taken` over time, from `from` on. */
  #busy = 0;
  readonly #from: number;

  constructor(capacity: number, from: number) {
    this.capacity = capacity;
    this.#from = from;
  }

  get free(): boolean {
    return this.taken < this.capacity;
  }

  change(by: 1 | -1, now: number): void {
    this.#count(now);
    this.taken += by;
  }

  /** The share that was taken, on average. */
  use(to: number): number {
    return this.mean(to) / this.capacity;
  }

  mean(to: number): number {
    this.#count(to);
    return this.#busy / (to - this.#from);
  }

  #count(now: number): void {
    this.#busy += this.taken * Math.max(0, now - Math.max(this.#since, this.#from));
    this.#since = now;
  }
}
