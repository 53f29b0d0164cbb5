import type { Fields, Row } from '../ports/backend.ts';
import type { Decoder } from '../ports/store.ts';

interface Decoded {
  readonly codec: Decoder<unknown>;
  readonly value: unknown;
}

/**
 * What rows were decoded to, for as long as their backend holds them: one that answers a list with
 * the very row that it answered before has it decoded once. Nothing changes a value that it reads.
 */
export class DecodedRows {
  readonly #values = new WeakMap<Fields, Decoded>();

  /** Throws what the codec throws. */
  of<T>(codec: Decoder<T>, { fields, path }: Row): T {
    const known = this.#values.get(fields);
    // Decoded as what it is decoded as: the codec is the same one.
    if (known?.codec === codec) return known.value as T;
    const value = codec.decode(fields, path);
    this.#values.set(fields, { codec, value });
    return value;
  }
}
