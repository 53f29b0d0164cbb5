import { type Backoff, backoff } from '../domain/backoff.ts';
import type { Millis } from '../domain/brand.ts';
import type { Backend, Position, Row, RowQuery } from '../ports/backend.ts';
import type { Clock } from '../ports/clock.ts';
import { Contention, Fault, Unavailable } from '../ports/faults.ts';
import type { Ids } from '../ports/ids.ts';
import type { Cursor, Entry, Query, ReadDoc, Store, Transaction } from '../ports/store.ts';
import { decodeCursor, encodeCursor, idOf, positionOf } from './cursor.ts';
import { Attempt } from './transaction.ts';

export interface StoreParts {
  readonly backend: Backend;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long a transaction is tried again, unless its caller says otherwise. */
  readonly deadline: Millis;
}

/** Between attempts, each with full jitter. */
const PAUSES: Backoff = { first: 4, most: 250 };

/**
 * The one module that owns transactions: optimistic, over a backend's conditional commit. No lock
 * is held between a read and the commit, so a process that dies in the middle blocks no other.
 */
export function createStore(parts: StoreParts): Store {
  const { backend, clock, ids } = parts;

  async function transact<R>(
    body: (tx: Transaction) => Promise<R>,
    deadline: Millis = parts.deadline,
  ): Promise<R> {
    const until = clock.now() + deadline;
    for (let attempt = 1; ; attempt += 1) {
      const fault = await once(body, attempt);
      if ('answer' in fault) return fault.answer;
      const pause = ids.random() * backoff(PAUSES, attempt);
      if (clock.now() + pause >= until) throw fault.unavailable ?? new Contention(attempt);
      await clock.sleep(pause);
    }
  }

  async function once<R>(
    body: (tx: Transaction) => Promise<R>,
    attempt: number,
  ): Promise<{ readonly answer: R } | { readonly unavailable: Unavailable | undefined }> {
    const tx = new Attempt(attempt, (paths) => backend.read(paths));
    try {
      const answer = await body(tx);
      const { checks, writes } = tx.plan();
      // A body that only read has nothing to make atomic: each read was of committed state.
      if (writes.length === 0) return { answer };
      const outcome = await backend.commit(checks, writes);
      return outcome === 'committed' ? { answer } : { unavailable: undefined };
    } catch (error) {
      // The outcome is unknown: the body runs again and recognises its own commit if there was one.
      if (error instanceof Unavailable) return { unavailable: error };
      throw error;
    }
  }

  async function getAll<T>(docs: readonly ReadDoc<T>[]): Promise<readonly (T | undefined)[]> {
    if (docs.length === 0) return [];
    const rows = await backend.read(docs.map((doc) => doc.path));
    return docs.map((doc, at) => {
      const row = rows[at];
      return row === undefined ? undefined : doc.codec.decode(row.fields, row.path);
    });
  }

  const entry = <T>(query: Query<T>, row: Row): Entry<T> => ({
    id: idOf(row.path),
    value: query.codec.decode(row.fields, row.path),
    cursor: encodeCursor(positionOf(query, row)),
  });

  async function* follow<T>(
    query: Query<T>,
    after: Cursor | undefined,
    signal: AbortSignal,
  ): AsyncIterable<readonly Entry<T>[]> {
    for await (const rows of backend.follow(query, position(after), signal)) {
      yield rows.map((row) => entry(query, row));
    }
  }

  async function* watch<T>(doc: ReadDoc<T>, signal: AbortSignal): AsyncIterable<T | undefined> {
    for await (const row of backend.watch(doc.path, signal)) {
      yield row && doc.codec.decode(row.fields, row.path);
    }
  }

  return {
    watch,
    async get<T>(doc: ReadDoc<T>) {
      const [value] = await getAll([doc]);
      return value;
    },
    getAll,
    transact,
    async page<T>(query: Query<T>, after?: Cursor) {
      const rows = await backend.query(query, position(after));
      return rows.map((row) => entry(query, row));
    },
    count: (query: RowQuery) => backend.count(query),
    follow,
  };
}

function position(cursor: Cursor | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const place = decodeCursor(cursor);
  if (place === undefined) throw new Fault('BadCursor', 'stop', 'not a cursor of this store');
  return place;
}
