import type { Row, Version } from '../ports/backend.ts';

/** What is remembered at most, in bytes of rows. */
const CAPACITY = 8 * 1024 * 1024;
/** A row takes so much beside its content. */
const FRAME = 1_024;

/**
 * Rows as lists found them, so that a page of rows that have not changed is not decoded again: a
 * version is never given twice. They are as sealed here as in the file.
 */
export class KnownRows {
  readonly #rows = new Map<string, { readonly row: Row; readonly bytes: number }>();
  readonly #capacity: number;
  #bytes = 0;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  get(path: string, version: Version): Row | undefined {
    const known = this.#rows.get(path);
    return known?.row.version === version ? known.row : undefined;
  }

  /** `content`: the bytes of its columns. The oldest go when it is too much. */
  keep(row: Row, content: number): void {
    this.forget(row.path);
    const bytes = content + FRAME;
    this.#rows.set(row.path, { row, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#rows.keys()) {
      if (this.#bytes <= this.#capacity) return;
      this.forget(oldest);
    }
  }

  forget(path: string): void {
    const known = this.#rows.get(path);
    if (known === undefined) return;
    this.#rows.delete(path);
    this.#bytes -= known.bytes;
  }
}
