/**
 * Stands in for the systems of a shop. Each keeps what it did by its key: asked again with the same
 * key it does nothing more, as a step that runs again needs it.
 */
class Books {
  readonly reserved = new Map<string, number>();
  readonly charged = new Map<string, number>();
  readonly shipped = new Map<string, string>();
  readonly #done = new Map<string, unknown>();

  reserve(item: string, count: number, key: string) {
    return this.#once(key, () => {
      const reservation = `${item}-${this.reserved.size + 1}`;
      this.reserved.set(reservation, count);
      return { reservation, price: count * item.length * 5 };
    });
  }

  release(reservation: string): string {
    this.reserved.delete(reservation);
    return reservation;
  }

  charge(price: number, key: string): string {
    if (price > 10_000) throw new RangeError(`${price} euros are over the limit`);
    return this.#once(key, () => {
      this.charged.set(key, price);
      return `paid-${this.charged.size}`;
    });
  }

  /** What came to the account. */
  book(price: number, reference: string, key: string): string {
    return this.#once(key, () => {
      this.charged.set(reference, price);
      return reference;
    });
  }

  carrierIsAway(attempt: number): boolean {
    return attempt === 1;
  }

  ship(reservation: string, key: string): string {
    return this.#once(key, () => {
      const parcel = `P-${this.shipped.size + 1}`;
      this.shipped.set(reservation, parcel);
      return parcel;
    });
  }

  clear(): void {
    for (const each of [this.reserved, this.charged, this.shipped, this.#done]) each.clear();
  }

  #once<T>(key: string, work: () => T): T {
    const before = this.#done.get(key);
    // Under one key stands what the same work made.
    if (before !== undefined) return before as T;
    const made = work();
    this.#done.set(key, made);
    return made;
  }
}

export const books = new Books();
