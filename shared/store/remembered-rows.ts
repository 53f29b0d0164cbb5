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
 * moment: a transaction that goes by it has its version checked by the commit. The oldest half goes
 * at once: a map that loses its first entry with each new one is searched through its gaps each
 * time.
 */
export class RememberedRows {
  readonly #half: number;
  #rows = new Map<string, RememberedRow & { readonly bytes: number }>();
  #bytes = 0;
  #older = new Map<string, RememberedRow>();

  constructor(capacity = CAPACITY) {
    this.#half = capacity / 2;
  }

  get(path: string): RememberedRow | undefined {
    return this.#rows.get(path) ?? this.#older.get(path);
  }

  remember(path: string, row: RememberedRow, fields: Fields): void {
    this.forget(path);
    const bytes = sizeOf(fields);
    if (bytes > this.#half) return;
    if (this.#bytes + bytes > this.#half) {
      this.#older = this.#rows;
      this.#rows = new Map();
      this.#bytes = 0;
    }
    this.#rows.set(path, { ...row, bytes });
    this.#bytes += bytes;
  }

  forget(path: string): void {
    this.#older.delete(path);
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
