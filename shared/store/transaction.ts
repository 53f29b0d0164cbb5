import type { Check, Fields, Row, Version, Write } from '../ports/backend.ts';
import { Fault } from '../ports/faults.ts';
import type { Doc, ReadDoc, Transaction } from '../ports/store.ts';

type Read = (paths: readonly string[]) => Promise<readonly (Row | undefined)[]>;
type Planned =
  | { readonly kind: 'create' | 'set'; readonly fields: Fields }
  | { readonly kind: 'delete' };

/** One attempt of a transaction: it remembers what was read, and gathers what to write. */
export class Attempt implements Transaction {
  readonly attempt: number;
  readonly #read: Read;
  readonly #seen = new Map<string, Row | undefined>();
  readonly #planned = new Map<string, Planned>();

  constructor(attempt: number, read: Read) {
    this.attempt = attempt;
    this.#read = read;
  }

  async get<T>(doc: ReadDoc<T>): Promise<T | undefined> {
    const [value] = await this.getAll([doc]);
    return value;
  }

  async getAll<T>(docs: readonly ReadDoc<T>[]): Promise<readonly (T | undefined)[]> {
    if (this.#planned.size > 0) {
      throw new Fault('ReadAfterWrite', 'stop', 'a transaction reads first and writes last');
    }
    const missing = docs.map((doc) => doc.path).filter((path) => !this.#seen.has(path));
    if (missing.length > 0) {
      const rows = await this.#read(missing);
      missing.forEach((path, at) => this.#seen.set(path, rows[at]));
    }
    return docs.map((doc) => {
      const row = this.#seen.get(doc.path);
      return row === undefined ? undefined : doc.codec.decode(row.fields, row.path);
    });
  }

  create<T>(doc: Doc<T>, value: T): void {
    this.#plan(doc.path, { kind: 'create', fields: doc.codec.encode(value) });
  }

  set<T>(doc: Doc<T>, value: T): void {
    this.#plan(doc.path, { kind: 'set', fields: doc.codec.encode(value) });
  }

  delete(doc: Doc<unknown>): void {
    this.#plan(doc.path, { kind: 'delete' });
  }

  /**
   * Everything read must be as it was read: by the expectation of its write, or by a check of its
   * own.
   */
  plan(): { readonly checks: readonly Check[]; readonly writes: readonly Write[] } {
    const writes = [...this.#planned].map(([path, planned]) => this.#write(path, planned));
    const checks = [...this.#seen]
      .filter(([path]) => !this.#planned.has(path))
      .map(([path, row]) => ({ path, expect: row?.version ?? ('absent' as const) }));
    return { checks, writes };
  }

  #plan(path: string, planned: Planned): void {
    if (this.#planned.has(path))
      throw new Fault('WrittenTwice', 'stop', 'a transaction writes a document once');
    this.#planned.set(path, planned);
  }

  #write(path: string, planned: Planned): Write {
    const expect: Version | 'absent' | 'any' = this.#seen.has(path)
      ? (this.#seen.get(path)?.version ?? 'absent')
      : planned.kind === 'create'
        ? 'absent'
        : 'any';
    if (planned.kind !== 'delete') return { path, fields: planned.fields, expect };
    return { path, fields: undefined, expect: expect === 'absent' ? 'any' : expect };
  }
}
