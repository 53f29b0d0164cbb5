import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from '../../../testing/memory-backend.ts';
import { seededIds } from '../../../testing/seeded-ids.ts';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import type { Fields } from '../../ports/backend.ts';
import type { Query } from '../../ports/store.ts';
import { createStore } from '../../store/store.ts';
import { mergedPage, mergedRows } from './merged-rows.ts';

interface Row {
  readonly id: string;
  readonly shard: number;
  readonly at: number;
}

const codec = {
  decode: ({ createdAt: at, shard }: Fields, path: string): Row => ({
    id: path.slice('runs/'.length),
    shard: Number(shard),
    at: Number(at),
  }),
};

type Direction = 'asc' | 'desc';

/** Rows of three shards, and a query for each; it counts the pages that are read. */
async function world(rows: readonly Omit<Row, 'id'>[], direction: Direction) {
  const backend = new MemoryBackend();
  const clock = new VirtualClock();
  const store = createStore({ backend, clock, ids: seededIds(1), deadline: 8_000 });
  const all = rows.map((row, at) => ({ ...row, id: String(at).padStart(3, '0') }));
  await backend.commit(
    [],
    all.map(({ at, id, shard }) => ({
      path: `runs/${id}`,
      fields: { createdAt: at, shard },
      expect: 'any' as const,
    })),
  );
  const queries = [0, 1, 2].map(
    (shard): Query<Row> => ({
      collection: 'runs',
      codec,
      filters: [{ field: 'shard', equals: shard }],
      order: { field: 'createdAt', direction },
      limit: 1,
    }),
  );
  const limits: number[] = [];
  const counted: typeof store = {
    ...store,
    page: (query, after) => {
      limits.push(query.limit);
      return store.page(query, after);
    },
  };
  const sign = direction === 'asc' ? 1 : -1;
  const sorted = all.toSorted((a, b) => sign * (a.at - b.at || (a.id < b.id ? -1 : 1)));
  return { store: counted, queries, limits, sorted: sorted.map(({ id }) => id) };
}

const anyRows = fc.array(fc.record({ shard: fc.nat(2), at: fc.nat(4) }), { maxLength: 40 });
const anyDirection = fc.constantFrom<Direction>('asc', 'desc');

describe('rows of several queries', () => {
  it('come in the order of one, each once, from any place on', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyDirection, fc.nat(40), async (rows, direction, from) => {
        const { queries, sorted, store } = await world(rows, direction);
        const found: string[] = [];
        const cursors: string[] = [];
        for await (const { cursor, value } of mergedRows(store, queries, 3)) {
          found.push(value.id);
          cursors.push(cursor);
        }
        expect(found).toEqual(sorted);
        const after = cursors[from];
        if (after === undefined) return;
        const rest = await mergedPage(store, queries, 100, after as never);
        expect(rest.map(({ value }) => value.id)).toEqual(sorted.slice(from + 1));
      }),
      { numRuns: 60 },
    );
  });

  it('are read a little ahead, and no page is read twice or where there is none', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({ shard: at % 3, at }));
    const { limits, queries, sorted, store } = await world(rows, 'asc');
    const page = await mergedPage(store, queries, 6);
    expect(page.map(({ value }) => value.id)).toEqual(sorted.slice(0, 6));
    expect(limits).toEqual([6, 6, 6]);
    limits.length = 0;
    expect(await mergedPage(store, queries, 0)).toEqual([]);
    expect(limits).toEqual([]);
  });

  it('of one query are its page', async () => {
    const rows = Array.from({ length: 9 }, (_, at) => ({ shard: 0, at }));
    const { limits, queries, sorted, store } = await world(rows, 'desc');
    const page = await mergedPage(store, queries.slice(0, 1), 4);
    expect(page.map(({ value }) => value.id)).toEqual(sorted.slice(0, 4));
    expect(limits).toEqual([4]);
    limits.length = 0;
    const read: string[] = [];
    for await (const { value } of mergedRows(store, queries.slice(0, 1), 4)) read.push(value.id);
    expect(read).toEqual(sorted);
    expect(limits).toEqual([4, 8]);
  });
});
