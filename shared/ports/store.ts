import type { Millis } from '../domain/brand.ts';
import type { Fields, RowQuery } from './backend.ts';

/** From a stored document to its type: throws Unreadable for what it can't understand. */
export interface Decoder<T> {
  decode(fields: Fields, path: string): T;
}

/** Between a stored document and its type. */
export interface Codec<T> extends Decoder<T> {
  encode(value: T): Fields;
}

/** One document that can be read: where it is, and what it is. */
export interface ReadDoc<T> {
  readonly path: string;
  readonly codec: Decoder<T>;
}

/** One document that can be written, too. */
export interface Doc<T> extends ReadDoc<T> {
  readonly codec: Codec<T>;
  /**
   * Most often read next by the process that wrote it: a transaction may be answered from memory.
   */
  readonly remembered?: true;
}

export interface Query<T> extends RowQuery {
  readonly codec: Decoder<T>;
}

/** An opaque place in a query's order; safe to hand to a client. */
export type Cursor = string;

export interface Entry<T> {
  readonly id: string;
  readonly value: T;
  /** The place right behind this entry. */
  readonly cursor: Cursor;
}

export interface Transaction {
  /** 1 for the first run of the body; higher when it runs again, perhaps after it has committed. */
  readonly attempt: number;
  get<T>(doc: ReadDoc<T>): Promise<T | undefined>;
  getAll<T>(docs: readonly ReadDoc<T>[]): Promise<readonly (T | undefined)[]>;
  /** Writes at commit; the commit fails over to another attempt if the document exists by then. */
  create<T>(doc: Doc<T>, value: T): void;
  /** Creates or replaces. A document that this transaction has read must still be as read. */
  set<T>(doc: Doc<T>, value: T): void;
  delete(doc: Doc<unknown>): void;
}

export interface Store {
  /** The document as last committed. */
  get<T>(doc: ReadDoc<T>): Promise<T | undefined>;
  getAll<T>(docs: readonly ReadDoc<T>[]): Promise<readonly (T | undefined)[]>;
  /**
   * Runs body, then commits its writes atomically if everything it read is unchanged; else runs it
   * again after a few milliseconds. Body may also run again after it has committed (unknown
   * outcomes): it must recognise its own commit. Reads come before writes, nothing else is called
   * inside. Throws Contention, Unavailable, TooLarge.
   */
  transact<R>(body: (tx: Transaction) => Promise<R>, deadline?: Millis): Promise<R>;
  page<T>(query: Query<T>, after?: Cursor): Promise<readonly Entry<T>[]>;
  count(query: RowQuery): Promise<number>;
  /** The document at once and after each change, by any process, until the signal aborts. */
  watch<T>(doc: ReadDoc<T>, signal: AbortSignal): AsyncIterable<T | undefined>;
  /**
   * Batches of new rows of an append-only query, in order, without gaps, until the signal aborts.
   */
  follow<T>(
    query: Query<T>,
    after: Cursor | undefined,
    signal: AbortSignal,
  ): AsyncIterable<readonly Entry<T>[]>;
}
