import { type Backoff, backoff } from '../domain/backoff.ts';
import type { Millis } from '../domain/brand.ts';
import type { Backend, Position, Row, RowQuery } from '../ports/backend.ts';
import type { Clock } from '../ports/clock.ts';
import { Contention, Fault, TooLarge, Unavailable } from '../ports/faults.ts';
import type { Ids } from '../ports/ids.ts';
import type { Cursor, Entry, Query, ReadDoc, Store, Transaction } from '../ports/store.ts';
import { decodeCursor, encodeCursor, idOf, positionOf } from './cursor.ts';
import { mapped } from './mapped.ts';
import { DecodedRows } from './decoded-rows.ts';
import { RememberedRows } from './remembered-rows.ts';
import { Attempt } from './transaction.ts';

export interface StoreParts {
  readonly backend: Backend;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long a transaction is tried again, unless its caller says otherwise. */
  readonly deadline: Millis;
}

type AttemptOutcome<R> =
  | { readonly kind: 'answer'; readonly answer: R }
  /** It went by a remembered row, and had nothing to commit. */
  | { readonly kind: 'guess' }
  /** A conflict, or an outcome that is not known. */
  | { readonly kind: 'failed'; readonly unavailable?: Unavailable };

/** Between attempts, each with full jitter. */
const PAUSES: Backoff = { first: 4, most: 250 };

/**
 * The one module that owns transactions: optimistic, over a backend's conditional commit. No lock
 * is held between a read and the commit, so a process that dies in the middle blocks no other.
 */
export function createStore(parts: StoreParts): Store {
  const { backend, clock, ids } = parts;
  const memory = new RememberedRows();
  const decoded = new DecodedRows();

  async function transact<R>(
    body: (tx: Transaction) => Promise<R>,
    deadline: Millis = parts.deadline,
  ): Promise<R> {
    const until = clock.now() + deadline;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await once(body, attempt);
      if (outcome.kind === 'answer') return outcome.answer;
      if (outcome.kind === 'guess') continue;
      const pause = ids.random() * backoff(PAUSES, attempt);
      if (clock.now() + pause >= until) throw outcome.unavailable ?? new Contention(attempt);
      await clock.sleep(pause);
    }
  }

  async function once<R>(
    body: (tx: Transaction) => Promise<R>,
    attempt: number,
  ): Promise<AttemptOutcome<R>> {
    const tx = new Attempt(attempt, (paths) => backend.read(paths), memory);
    try {
      const answer = await body(tx);
      const { checks, writes } = tx.plan();
      // A body that only read has nothing to make atomic: each read was of committed state. Of a
      // row that was remembered nothing is known without a commit, so it is asked again at once.
      if (writes.length === 0) return tx.isGuess ? guess(tx) : { kind: 'answer', answer };
      const outcome = await backend.commit(checks, writes);
      if (outcome === 'conflict') {
        tx.forget();
        return { kind: 'failed' };
      }
      tx.remember(outcome);
      return { kind: 'answer', answer };
    } catch (error) {
      tx.forget();
      // The outcome is unknown: the body runs again and recognises its own commit if there was one.
      if (error instanceof Unavailable) return { kind: 'failed', unavailable: error };
      // A fault that a remembered row may have led to is none yet.
      if (tx.isGuess && !(error instanceof TooLarge)) return { kind: 'guess' };
      throw error;
    }
  }

  function guess(tx: Attempt): { readonly kind: 'guess' } {
    tx.forget();
    return { kind: 'guess' };
  }

  async function getAll<T>(docs: readonly ReadDoc<T>[]): Promise<readonly (T | undefined)[]> {
    if (docs.length === 0) return [];
    const rows = await backend.read(docs.map((doc) => doc.path));
    return docs.map((doc, at) => {
      const row = rows[at];
      return row === undefined ? undefined : doc.codec.decode(row.fields, row.path);
    });
  }

  return {
    watch: <T>(doc: ReadDoc<T>, signal: AbortSignal) =>
      mapped(
        backend.watch(doc.path, signal),
        (row) => row && doc.codec.decode(row.fields, row.path),
      ),
    async get<T>(doc: ReadDoc<T>) {
      const [value] = await getAll([doc]);
      return value;
    },
    getAll,
    transact,
    async page<T>(query: Query<T>, after?: Cursor) {
      const rows = await backend.query(query, position(after));
      return rows.map((row) => new Found(query, row, decoded.of(query.codec, row)));
    },
    count: (query: RowQuery) => backend.count(query),
    follow: <T>(query: Query<T>, after: Cursor | undefined, signal: AbortSignal) =>
      mapped(backend.follow(query, position(after), signal), (rows) =>
        rows.map((row) => new Found(query, row, query.codec.decode(row.fields, row.path))),
      ),
  };
}

class Found<T> implements Entry<T> {
  readonly value: T;
  readonly #query: Query<T>;
  readonly #row: Row;

  constructor(query: Query<T>, row: Row, value: T) {
    this.value = value;
    this.#query = query;
    this.#row = row;
  }

  get id(): string {
    return idOf(this.#row.path);
  }

  /** Made when it is asked for: of a page only the last one is. */
  get cursor(): Cursor {
    return encodeCursor(positionOf(this.#query, this.#row));
  }
}

function position(cursor: Cursor | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const place = decodeCursor(cursor);
  if (place === undefined) throw new Fault('BadCursor', 'stop', 'not a cursor of this store');
  return place;
}
