import type { Position } from '../../ports/backend.ts';
import type { Cursor, Entry, Query, Store } from '../../ports/store.ts';
import { decodeCursor } from '../../store/cursor.ts';

interface Head<T> {
  readonly query: Query<T>;
  readonly rows: Entry<T>[];
  readonly more: boolean;
}

/**
 * The rows of several queries of one order as if they were one: each is in that order, so one place
 * in it is a place in each. Reads about `wanted` rows ahead.
 */
export async function* mergedRows<T>(
  store: Store,
  queries: readonly Query<T>[],
  wanted: number,
  after?: Cursor,
): AsyncGenerator<Entry<T>> {
  const size = queries.length === 1 ? wanted : Math.ceil(wanted / queries.length) + 4;
  const read = async (query: Query<T>, limit: number, from?: Cursor): Promise<Head<T>> => {
    const rows = await store.page({ ...query, limit }, from);
    return { query, rows: [...rows], more: rows.length === limit };
  };
  const heads = await Promise.all(queries.map((query) => read(query, size, after)));
  for (;;) {
    let first: number | undefined;
    for (const [at, { rows }] of heads.entries()) {
      const best = first === undefined ? undefined : heads[first];
      if (rows.length > 0 && (best === undefined || comesBefore(rows[0], best))) first = at;
    }
    const head = first === undefined ? undefined : heads[first];
    const row = head?.rows.shift();
    if (first === undefined || head === undefined || row === undefined) return;
    yield row;
    if (head.rows.length === 0 && head.more)
      heads[first] = await read(head.query, size * 2, row.cursor);
  }
}

/** One page of them. */
export async function mergedPage<T>(
  store: Store,
  queries: readonly Query<T>[],
  limit: number,
  after?: Cursor,
): Promise<readonly Entry<T>[]> {
  if (limit <= 0) return [];
  const found: Entry<T>[] = [];
  for await (const row of mergedRows(store, queries, limit, after)) {
    found.push(row);
    if (found.length === limit) break;
  }
  return found;
}

/** Ties are broken by the id, in the order's direction, as within each query. */
function comesBefore<T>(row: Entry<T> | undefined, { query, rows: [other] }: Head<T>): boolean {
  const [a, b] = [placeOf(row), placeOf(other)];
  const [x, y] = [Number(a?.value ?? 0), Number(b?.value ?? 0)];
  const ascending = x === y ? (a?.id ?? '') < (b?.id ?? '') : x < y;
  return query.order?.direction === 'desc' ? !ascending : ascending;
}

const placeOf = <T>(row: Entry<T> | undefined): Position | undefined =>
  row && decodeCursor(row.cursor);
