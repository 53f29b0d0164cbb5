import type {
  Backend,
  Check,
  Committed,
  Position,
  Row,
  RowQuery,
  Value,
  Write,
} from '../shared/ports/backend.ts';
import { Fault, Unavailable } from '../shared/ports/faults.ts';
import { collectionAddress, documentAddress } from '../shared/store/addresses.ts';
import { idOf, positionOf } from '../shared/store/cursor.ts';
import { isList, measureWrites } from '../shared/store/limits.ts';
import {
  compareValues,
  type Edge,
  type Range,
  rangeOf,
  requireIndex,
} from '../shared/store/query-plan.ts';

/** What one commit did to one document. */
export interface Change {
  readonly path: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}
export type Watch = (changes: readonly Change[]) => void;

/**
 * A database in memory. Each call happens at once and whole, in the turn in which it is made, so it
 * is linearizable; a test that wants calls to overtake each other puts delays before it.
 */
export class MemoryBackend implements Backend {
  readonly #collections = new Map<string, Map<string, Row>>();
  readonly #waiting = new Set<() => void>();
  readonly #watch: Watch;
  #version = 0;
  #closed = false;

  constructor(watch: Watch = () => undefined) {
    this.#watch = watch;
  }

  async read(paths: readonly string[]): Promise<readonly (Row | undefined)[]> {
    this.#open();
    paths.forEach(documentAddress);
    return paths.map((path) => this.peek(path));
  }

  async commit(
    checks: readonly Check[],
    writes: readonly Write[],
  ): Promise<Committed | 'conflict'> {
    measureWrites(writes);
    for (const { path } of [...checks, ...writes]) documentAddress(path);
    this.#open();
    const holds = ({ path, expect }: { path: string; expect: string }): boolean =>
      expect === 'any' || (this.peek(path)?.version ?? 'absent') === expect;
    if (!checks.every(holds) || !writes.every(holds)) return 'conflict';
    const changes = writes.map((write) => this.#apply(write));
    this.#watch(changes);
    for (const wake of this.#waiting) wake();
    return { versions: changes.map(({ after }) => after?.version) };
  }

  async query(query: RowQuery, after?: Position): Promise<readonly Row[]> {
    return this.#select(query, after).slice(0, query.limit);
  }

  async count(query: RowQuery): Promise<number> {
    return Math.min(query.limit, this.#select(query, undefined).length);
  }

  async *follow(
    query: RowQuery,
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Row[]> {
    if (query.order?.direction === 'desc') {
      throw new Fault('BadQuery', 'stop', 'only an ascending query can be followed');
    }
    let place = after;
    while (!signal.aborted) {
      // Nothing may come between this look and the wait below, or its news would be missed.
      const rows = this.#select(query, place).slice(0, query.limit);
      const last = rows.at(-1);
      if (last === undefined) {
        await this.#news(signal);
        continue;
      }
      place = positionOf(query, last);
      yield rows;
    }
  }

  async *watch(path: string, signal: AbortSignal): AsyncGenerator<Row | undefined> {
    let version: string | undefined = '';
    while (!signal.aborted) {
      this.#open();
      const row = this.peek(path);
      if (row?.version === version) await this.#news(signal);
      else {
        version = row?.version;
        yield row;
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting) wake();
  }

  /** The document as it is, for a test that looks on. */
  peek(path: string): Row | undefined {
    return this.#collections.get(collectionOf(path))?.get(path);
  }

  /** All documents of a collection, for a test that looks on. */
  all(collection: string): readonly Row[] {
    return [...(this.#collections.get(collection)?.values() ?? [])];
  }

  /** Every document there is. */
  everything(): readonly Row[] {
    return [...this.#collections.values()].flatMap((rows) => [...rows.values()]);
  }

  #open(): void {
    if (this.#closed) throw new Unavailable('the database, which is closed,');
  }

  #apply({ path, fields }: Write): Change {
    const before = this.peek(path);
    const collection = collectionOf(path);
    const rows = this.#collections.get(collection) ?? new Map<string, Row>();
    this.#collections.set(collection, rows);
    if (fields === undefined) {
      rows.delete(path);
      return { path, before, after: undefined };
    }
    this.#version += 1;
    const after: Row = { path, fields: copied(fields), version: `v${this.#version}` };
    rows.set(path, after);
    return { path, before, after };
  }

  #select(query: RowQuery, after: Position | undefined): readonly Row[] {
    this.#open();
    requireIndex(collectionAddress(query.collection).shape, query);
    const range = rangeOf(query, after);
    const sign = query.order?.direction === 'desc' ? -1 : 1;
    return this.all(query.collection)
      .filter(({ fields }) => query.filters.every(({ field, equals }) => fields[field] === equals))
      .flatMap((row) => {
        const key = keyOf(query, row);
        return key === undefined || !within(key, range) ? [] : [{ row, key }];
      })
      .sort((a, b) => sign * comparePlaces(a.key, b.key))
      .map(({ row }) => row);
  }

  #news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

interface Key {
  readonly value: string | number;
  readonly id: string;
}

/** Undefined for a row that lacks the ordered field: it is in no answer. */
function keyOf(query: RowQuery, row: Row): Key | undefined {
  const id = idOf(row.path);
  if (query.order === undefined) return { value: id, id };
  const value = row.fields[query.order.field];
  return typeof value === 'string' || typeof value === 'number' ? { value, id } : undefined;
}

function within(key: Key, { low, high }: Range): boolean {
  return (
    (low === undefined || beyond(key, low, 1)) && (high === undefined || beyond(key, high, -1))
  );
}

function beyond(key: Key, edge: Edge, sign: 1 | -1): boolean {
  const compared =
    edge.id === undefined
      ? compareValues(key.value, edge.value)
      : comparePlaces(key, { value: edge.value, id: edge.id });
  return compared === 0 ? edge.inclusive : sign * compared > 0;
}

function comparePlaces(a: Key, b: Key): number {
  return compareValues(a.value, b.value) || compareValues(a.id, b.id);
}

function collectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function copied<T extends Value>(value: T): T;
function copied(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return value.slice();
  if (isList(value)) return value.map((item) => copied(item));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member)]));
}
