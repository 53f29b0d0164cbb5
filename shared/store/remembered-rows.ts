import type { Fields, Value, Version } from '../ports/backend.ts';
import type { Decoder } from '../ports/store.ts';

/** A document as this process wrote it last. */
export interface RememberedRow {
  readonly version: Version;
  readonly value: unknown;
  /** What it was written as: it is answered to a reader of the same kind alone. */
  readonly codec: Decoder<unknown>;
}

/** What is remembered at most, in bytes of content. */
const CAPACITY = 16 * 1024 * 1024;

/**
 * Rows that this process wrote and is about to read again. What is here may be out of date at any
 * moment: a transaction that goes by it has its version checked by the commit.
 */
export class RememberedRows {
  readonly #rows = new Map<string, RememberedRow & { readonly bytes: number }>();
  readonly #capacity: number;
  #bytes = 0;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  get(path: string): RememberedRow | undefined {
    return this.#rows.get(path);
  }

  remember(path: string, row: RememberedRow, fields: Fields): void {
    this.forget(path);
    const bytes = sizeOf(fields);
    this.#rows.set(path, { ...row, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#rows.keys()) {
      if (this.#bytes <= this.#capacity) return;
      this.forget(oldest);
    }
  }

  forget(path: string): void {
    const row = this.#rows.get(path);
    if (row === undefined) return;
    this.#rows.delete(path);
    this.#bytes -= row.bytes;
  }
}

/** Near enough for a bound: what is large in a row is text or bytes. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 8;
  const members = Array.isArray(value) ? value : Object.values(value);
  let size = 16 * members.length;
  for (const member of members) size += sizeOf(member as Value);
  return size;
}
