/**
 * Values by key, up to a weight in all. The older half goes at once: a map that loses its first
 * entry with each new one is searched through its gaps each time.
 */
export class BoundedMap<V> {
  readonly #half: number;
  #newer = new Map<string, { readonly value: V; readonly weight: number }>();
  #weight = 0;
  #older = new Map<string, { readonly value: V }>();

  constructor(capacity: number) {
    this.#half = capacity / 2;
  }

  get(key: string): V | undefined {
    return (this.#newer.get(key) ?? this.#older.get(key))?.value;
  }

  /** In the place of what the key had. What outweighs a half is not kept. */
  set(key: string, value: V, weight: number): void {
    this.delete(key);
    if (weight > this.#half) return;
    if (this.#weight + weight > this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#weight = 0;
    }
    this.#newer.set(key, { value, weight });
    this.#weight += weight;
  }

  delete(key: string): void {
    this.#older.delete(key);
    this.#weight -= this.#newer.get(key)?.weight ?? 0;
    this.#newer.delete(key);
  }
}
