import type { Row, Version } from '../ports/backend.ts';
import { BoundedMap } from '../store/bounded-map.ts';

/** What is remembered at most, in bytes of rows. */
const CAPACITY = 8 * 1024 * 1024;
/** A row takes so much beside its content. */
const FRAME = 1_024;

/**
 * Rows as lists found them, so that a page of rows that have not changed is not decoded again: a
 * version is never given twice. They are as sealed here as in the file.
 */
export class KnownRows {
  readonly #rows: BoundedMap<Row>;

  constructor(capacity = CAPACITY) {
    this.#rows = new BoundedMap(capacity);
  }

  get(path: string, version: Version): Row | undefined {
    const known = this.#rows.get(path);
    return known?.version === version ? known : undefined;
  }

  /** `content`: the bytes of its columns. The oldest go when it is too much. */
  keep(row: Row, content: number): void {
    this.#rows.set(row.path, row, content + FRAME);
  }

  forget(path: string): void {
    this.#rows.delete(path);
  }
}
