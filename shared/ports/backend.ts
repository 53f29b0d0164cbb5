/** What a document field can hold in every store. Numbers are finite; objects are plain. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Value[]
  | { readonly [key: string]: Value };
export type Fields = { readonly [key: string]: Value };

/**
 * Opaque; equal only for the same write of the same document. Any string; the record keeps it apart
 * from the words beside it.
 */
export type Version = string & Record<never, never>;

export interface Row {
  /** `runs/{id}` or `tasks/{id}/events/{id}`: collection and id alternate. */
  readonly path: string;
  readonly fields: Fields;
  readonly version: Version;
}

export type Write =
  /** Creates or replaces the document. */
  | { readonly path: string; readonly fields: Fields; readonly expect: Version | 'absent' | 'any' }
  /** Deletes it. */
  | { readonly path: string; readonly fields: undefined; readonly expect: Version | 'any' };

export interface Check {
  readonly path: string;
  readonly expect: Version | 'absent';
}

export interface Filter {
  readonly field: string;
  readonly equals: string | number | boolean;
}

/**
 * Rows of one collection in one order. Rows without the ordered field, or with null in it, do not
 * match. `order` undefined means by document id.
 */
export interface RowQuery {
  /** `tasks`, or `tasks/{id}/events`. */
  readonly collection: string;
  readonly filters: readonly Filter[];
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined;
  /** Bounds on the ordered field (or on the id where `order` is undefined). */
  readonly from?: { readonly value: string | number; readonly inclusive: boolean };
  readonly to?: { readonly value: string | number; readonly inclusive: boolean };
  readonly limit: number;
}

/**
 * The position of a row in a query's order; the next page starts after it. Ties are broken by the
 * document id, in the order's direction.
 */
export interface Position {
  /** The ordered field's value; undefined where the order is by id. */
  readonly value: string | number | undefined;
  readonly id: string;
}

/**
 * The version that each written document has from then on, in the order of the writes; undefined:
 * it was deleted.
 */
export interface Committed {
  readonly versions: readonly (Version | undefined)[];
}

/**
 * What a database must give: reads, one atomic conditional commit, ordered queries, and news.
 * Transactions are built on it once (shared/store), so no adapter holds a lock between two calls,
 * and a crash in the middle blocks no other process.
 */
export interface Backend {
  /** Each document as last committed, in the order asked for. Throws StoreUnavailable. */
  read(paths: readonly string[]): Promise<readonly (Row | undefined)[]>;
  /**
   * All or nothing: `conflict` when any check or expectation fails, and nothing is written. Throws
   * StoreUnavailable when the outcome is unknown, TooLarge before anything is sent.
   */
  commit(checks: readonly Check[], writes: readonly Write[]): Promise<Committed | 'conflict'>;
  /** A row that did not change may be the very object that was answered before. */
  query(query: RowQuery, after?: Position): Promise<readonly Row[]>;
  /** How many rows match, `limit` at most: what lies beyond it costs nothing. */
  count(query: RowQuery): Promise<number>;
  /**
   * Batches of rows that come into an ascending, append-only query after `after`, in order, none
   * twice, none missed, also when another process wrote them. The first batch may come at once.
   * Ends when the signal aborts.
   */
  follow(
    query: RowQuery,
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncIterable<readonly Row[]>;
  /**
   * The document as it is, at once and after each change, also by another process; changes that
   * follow one another quickly may come as one. Undefined: it does not exist. Ends when the signal
   * aborts.
   */
  watch(path: string, signal: AbortSignal): AsyncIterable<Row | undefined>;
  close(): Promise<void>;
}
