/** Holds what was used last, up to a number of bytes. What is too large alone is not held. */
export class ByteCache<T extends { readonly bytes: number }> {
  readonly #limit: number;
  readonly #held = new Map<string, T>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    const value = this.#held.get(key);
    if (value === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    this.delete(key);
    this.#held.set(key, value);
    this.#bytes += value.bytes;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#held.get(key);
    if (value !== undefined && this.#held.delete(key)) this.#bytes -= value.bytes;
  }

  /** Everything whose key begins so. */
  deleteAll(prefix: string): void {
    for (const key of this.#held.keys()) if (key.startsWith(prefix)) this.delete(key);
  }
}
