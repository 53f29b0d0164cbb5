/**
 * Events in the order of their times, each a number; those of one time in the order in which they
 * came.
 */
export class EventHeap {
  #times = new Float64Array(1 << 10);
  #orders = new Float64Array(1 << 10);
  #events = new Float64Array(1 << 10);
  #came = 0;
  size = 0;

  get next(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] ?? 0);
  }

  push(time: number, event: number): void {
    if (this.size === this.#times.length) this.#grow();
    let at = this.size;
    this.size += 1;
    this.#came += 1;
    const order = this.#came;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(time, order, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, time, order, event);
  }

  /** The event of the time `next`. */
  pop(): number {
    const event = this.#events[0] ?? -1;
    this.size -= 1;
    const last = this.size;
    const [time, order] = [this.#times[last] ?? 0, this.#orders[last] ?? 0];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      const right = child + 1;
      if (right < last && this.#isBefore(this.#times[right] ?? 0, this.#orders[right] ?? 0, child))
        child = right;
      if (this.#isBefore(time, order, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, time, order, this.#events[last] ?? -1);
    return event;
  }

  #isBefore(time: number, order: number, at: number): boolean {
    const other = this.#times[at] ?? 0;
    return time < other || (time === other && order < (this.#orders[at] ?? 0));
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#times[from] ?? 0, this.#orders[from] ?? 0, this.#events[from] ?? 0);
  }

  #put(at: number, time: number, order: number, event: number): void {
    this.#times[at] = time;
    this.#orders[at] = order;
    this.#events[at] = event;
  }

  #grow(): void {
    const twice = (before: Float64Array): Float64Array<ArrayBuffer> => {
      const after = new Float64Array(before.length * 2);
      after.set(before);
      return after;
    };
    this.#times = twice(this.#times);
    this.#orders = twice(this.#orders);
    this.#events = twice(this.#events);
  }
}
