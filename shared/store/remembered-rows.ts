import type { Fields, Value, Version } from '../ports/backend.ts';
import type { Decoder } from '../ports/store.ts';
import { BoundedMap } from './bounded-map.ts';

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
  readonly #rows: BoundedMap<RememberedRow>;

  constructor(capacity = CAPACITY) {
    this.#rows = new BoundedMap(capacity);
  }

  get(path: string): RememberedRow | undefined {
    return this.#rows.get(path);
  }

  remember(path: string, row: RememberedRow, fields: Fields): void {
    this.#rows.set(path, row, sizeOf(fields));
  }

  forget(path: string): void {
    this.#rows.delete(path);
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
