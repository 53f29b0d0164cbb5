import type { Check, Committed, Fields, Row, Version, Write } from '../ports/backend.ts';
import { Fault } from '../ports/faults.ts';
import type { Doc, ReadDoc, Transaction } from '../ports/store.ts';
import type { RememberedRow, RememberedRows } from './remembered-rows.ts';

type Read = (paths: readonly string[]) => Promise<readonly (Row | undefined)[]>;
type Planned =
  | {
      readonly kind: 'create' | 'set';
      readonly doc: Doc<unknown>;
      readonly value: unknown;
      readonly fields: Fields;
    }
  | { readonly kind: 'delete' };

/** One attempt of a transaction: it remembers what was read, and gathers what to write. */
export class Attempt implements Transaction {
  readonly attempt: number;
  readonly #read: Read;
  readonly #memory: RememberedRows;
  readonly #seen = new Map<string, Row | undefined>();
  readonly #recalled = new Map<string, RememberedRow>();
  readonly #planned = new Map<string, Planned>();

  constructor(attempt: number, read: Read, memory: RememberedRows) {
    this.attempt = attempt;
    this.#read = read;
    this.#memory = memory;
  }

  async get<T>(doc: ReadDoc<T>): Promise<T | undefined> {
    const [value] = await this.getAll([doc]);
    return value;
  }

  async getAll<T>(docs: readonly ReadDoc<T>[]): Promise<readonly (T | undefined)[]> {
    if (this.#planned.size > 0) {
      throw new Fault('ReadAfterWrite', 'stop', 'a transaction reads first and writes last');
    }
    for (const doc of docs) this.#recall(doc);
    const missing = docs
      .map((doc) => doc.path)
      .filter((path) => !this.#seen.has(path) && !this.#recalled.has(path));
    if (missing.length > 0) {
      const rows = await this.#read(missing);
      missing.forEach((path, at) => this.#seen.set(path, rows[at]));
    }
    return docs.map((doc) => {
      const recalled = this.#recalled.get(doc.path);
      // Written as what it is read as: the codec is the same one.
      if (recalled !== undefined) return recalled.value as T;
      const row = this.#seen.get(doc.path);
      return row === undefined ? undefined : doc.codec.decode(row.fields, row.path);
    });
  }

  create<T>(doc: Doc<T>, value: T): void {
    this.#plan(doc.path, { kind: 'create', doc, value, fields: doc.codec.encode(value) });
  }

  set<T>(doc: Doc<T>, value: T): void {
    this.#plan(doc.path, { kind: 'set', doc, value, fields: doc.codec.encode(value) });
  }

  delete(doc: Doc<unknown>): void {
    this.#plan(doc.path, { kind: 'delete' });
  }

  /**
   * It went by rows that it did not read: what it says without a commit to check them is no answer.
   */
  get isGuess(): boolean {
    return this.#recalled.size > 0;
  }

  /**
   * Everything read must be as it was read: by the expectation of its write, or by a check of its
   * own.
   */
  plan(): { readonly checks: readonly Check[]; readonly writes: readonly Write[] } {
    const writes = [...this.#planned].map(([path, planned]) => this.#write(path, planned));
    const checks = [...this.#seen.keys(), ...this.#recalled.keys()]
      .filter((path) => !this.#planned.has(path))
      .map((path) => ({ path, expect: this.#version(path) ?? ('absent' as const) }));
    return { checks, writes };
  }

  /** What was written is known by its new version; what need not be remembered is forgotten. */
  remember({ versions }: Committed): void {
    [...this.#planned].forEach(([path, planned], at) => {
      const version = versions[at];
      if (planned.kind === 'delete' || version === undefined || !planned.doc.remembered)
        return this.#memory.forget(path);
      const { doc, fields, value } = planned;
      this.#memory.remember(path, { version, value, codec: doc.codec }, fields);
    });
  }

  /** Whatever it went by or was about to write may be otherwise by now. */
  forget(): void {
    for (const path of [...this.#recalled.keys(), ...this.#planned.keys()])
      this.#memory.forget(path);
  }

  /**
   * Only a first attempt goes by memory: another one is made because something was not as expected.
   */
  #recall({ codec, path }: ReadDoc<unknown>): void {
    if (this.attempt > 1 || this.#seen.has(path)) return;
    const row = this.#memory.get(path);
    if (row !== undefined && row.codec === codec) this.#recalled.set(path, row);
  }

  #plan(path: string, planned: Planned): void {
    if (this.#planned.has(path))
      throw new Fault('WrittenTwice', 'stop', 'a transaction writes a document once');
    this.#planned.set(path, planned);
  }

  #version(path: string): Version | undefined {
    return this.#recalled.get(path)?.version ?? this.#seen.get(path)?.version;
  }

  #write(path: string, planned: Planned): Write {
    const known = this.#seen.has(path) || this.#recalled.has(path);
    const unknown = planned.kind === 'create' ? 'absent' : 'any';
    const expect: Version | 'absent' | 'any' = known ? (this.#version(path) ?? 'absent') : unknown;
    if (planned.kind !== 'delete') return { path, fields: planned.fields, expect };
    return { path, fields: undefined, expect: expect === 'absent' ? 'any' : expect };
  }
}
