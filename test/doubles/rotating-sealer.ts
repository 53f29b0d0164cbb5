import { KeyMissing, Unavailable, Unreadable } from '../../shared/ports/faults.ts';
import type { DataKey, Rewrapping, Sealer } from '../../shared/ports/sealer.ts';

/** A key service that can be rotated, have its older keys destroyed or mislaid, and be away. */
export class RotatingSealer implements Sealer {
  away = false;
  /** The keys before the newest are not at hand, and may come back. */
  mislaid = false;
  #generation = 1;
  #oldest = 1;
  #made = 0;

  rotate(): void {
    this.#generation += 1;
  }

  /** The keys before the newest are gone for good. */
  destroyOlder(): void {
    this.#oldest = this.#generation;
  }

  keyNames(): Promise<readonly string[]> {
    const first = this.mislaid ? this.#generation : this.#oldest;
    const count = this.#generation - first + 1;
    return Promise.resolve(
      Array.from({ length: count }, (_, at) => `key ${this.#generation - at}`),
    );
  }

  async newKey(owner: string): Promise<DataKey> {
    this.#here();
    this.#made += 1;
    const plain = new Uint8Array(32).fill(this.#made);
    return { plain, wrapped: this.#wrap(plain, owner) };
  }

  async unwrap(wrapped: Uint8Array, owner: string): Promise<Uint8Array> {
    this.#here();
    const [generation = 0] = wrapped;
    if (generation < this.#oldest) throw new Unreadable('a data key');
    if (this.mislaid && generation < this.#generation) throw new KeyMissing(`key ${generation}`);
    const bound = Buffer.from(wrapped.subarray(33)).toString('utf8');
    if (bound !== owner) throw new Unreadable('a data key');
    return wrapped.slice(1, 33);
  }

  async rewrap(wrapped: Uint8Array, owner: string): Promise<Rewrapping> {
    if (wrapped[0] === this.#generation) return { kind: 'current' };
    return { kind: 'rewrapped', wrapped: this.#wrap(await this.unwrap(wrapped, owner), owner) };
  }

  #wrap(plain: Uint8Array, owner: string): Uint8Array {
    return Uint8Array.of(this.#generation, ...plain, ...Buffer.from(owner));
  }

  #here(): void {
    if (this.away) throw new Unavailable('key service');
  }
}
