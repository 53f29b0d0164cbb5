import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, Fields, Position, RowQuery } from '../../shared/ports/backend.ts';
import { idOf, positionOf } from '../../shared/store/cursor.ts';
import type { OpenBackend, OpenedBackend } from './backend.suite.ts';

/** Ordered queries and counts. Each test has a scope or parent of its own. */
export function querySuite(name: string, open: OpenBackend): void {
  describe(`${name}: queries`, () => {
    let opened: OpenedBackend;
    let backend: Backend;
    beforeAll(async () => {
      opened = await open();
      ({ backend } = opened);
    });
    afterAll(() => opened.close());

    /** Ids are unique in the database, and sort by their first letters. */
    async function tasks(rows: Readonly<Record<string, Fields>>): Promise<string> {
      const scope = randomUUID();
      const writes = Object.entries(rows).map(([id, fields]) => ({
        path: `tasks/${id}-${scope}`,
        fields: { scope, ...fields },
        expect: 'absent' as const,
      }));
      await backend.commit([], writes);
      return scope;
    }

    const listed = (scope: string, direction: 'asc' | 'desc', limit = 100): RowQuery => ({
      collection: 'tasks',
      filters: [{ field: 'scope', equals: scope }],
      order: { field: 'statusAt', direction },
      limit,
    });
    const names = async (query: RowQuery, after?: Position) =>
      (await backend.query(query, after)).map(({ path }) => idOf(path).split('-')[0]);

    async function walk(query: RowQuery): Promise<string[]> {
      const ids: string[] = [];
      let after: Position | undefined;
      for (;;) {
        const rows = await backend.query(query, after);
        const last = rows.at(-1);
        if (last === undefined) return ids;
        expect(rows.length).toBeLessThanOrEqual(query.limit);
        ids.push(...rows.map(({ path }) => idOf(path).split('-')[0] ?? ''));
        after = positionOf(query, last);
      }
    }

    test.each([1, 2, 3, 10])(
      'a walk in pages of %i meets every row once, rows of one time by id in the order’s direction',
      async (limit) => {
        const scope = await tasks({
          c: { statusAt: 5 },
          a: { statusAt: 5 },
          b: { statusAt: 5 },
          d: { statusAt: 1 },
          e: { statusAt: 10 },
          f: { statusAt: 10 },
          g: { statusAt: -2.5 },
        });
        const ascending = ['g', 'd', 'a', 'b', 'c', 'e', 'f'];
        expect(await walk(listed(scope, 'asc', limit))).toEqual(ascending);
        expect(await walk(listed(scope, 'desc', limit))).toEqual(ascending.toReversed());
      },
    );

    test('rows without the ordered field, or with null in it, are neither found nor counted', async () => {
      const scope = await tasks({ a: { statusAt: null }, b: {}, c: { statusAt: 0 } });
      for (const direction of ['asc', 'desc'] as const) {
        expect(await names(listed(scope, direction))).toEqual(['c']);
        expect(await backend.count(listed(scope, direction))).toBe(1);
      }
    });

    test('bounds are on the values in either direction, and hold together with a position', async () => {
      const scope = await tasks({
        a: { statusAt: 1 },
        b: { statusAt: 2 },
        c: { statusAt: 2 },
        d: { statusAt: 3 },
      });
      const open = { from: { value: 1, inclusive: false }, to: { value: 3, inclusive: false } };
      const closed = { from: { value: 2, inclusive: true }, to: { value: 3, inclusive: true } };
      const [up, down] = [listed(scope, 'asc'), listed(scope, 'desc')];
      expect(await names({ ...up, ...open })).toEqual(['b', 'c']);
      expect(await names({ ...down, ...open })).toEqual(['c', 'b']);
      expect(await names({ ...up, ...closed })).toEqual(['b', 'c', 'd']);
      expect(await names({ ...down, ...closed })).toEqual(['d', 'c', 'b']);
      expect(await walk({ ...up, ...closed, limit: 1 })).toEqual(['b', 'c', 'd']);
      expect(await walk({ ...down, ...open, limit: 1 })).toEqual(['c', 'b']);
      const early: Position = { value: 0, id: 'zzz' };
      expect(await names({ ...up, ...open }, early)).toEqual(['b', 'c']);
      expect(await backend.count({ ...up, ...open })).toBe(2);
    });

    test('a page goes on behind its position also when that row has moved', async () => {
      const scope = await tasks({ a: { statusAt: 1 }, b: { statusAt: 2 }, c: { statusAt: 2 } });
      const query = listed(scope, 'asc');
      expect(await names(query, { value: 2, id: `b-${scope}` })).toEqual(['c']);
      await backend.commit([], [{ path: `tasks/b-${scope}`, fields: undefined, expect: 'any' }]);
      expect(await names(query, { value: 2, id: `b-${scope}` })).toEqual(['c']);
      expect(await names(query, { value: 1.5, id: 'zzz' })).toEqual(['c']);
    });

    test('a changed row is found at its new place only', async () => {
      const scope = await tasks({ a: { statusAt: 1 }, b: { statusAt: 2 } });
      const path = `tasks/a-${scope}`;
      await backend.commit([], [{ path, fields: { scope, statusAt: 3 }, expect: 'any' }]);
      expect(await names(listed(scope, 'asc'))).toEqual(['b', 'a']);
      await backend.commit([], [{ path, fields: { statusAt: 3 }, expect: 'any' }]);
      expect(await names(listed(scope, 'asc'))).toEqual(['b']);
      expect(await backend.count(listed(scope, 'desc'))).toBe(1);
    });

    test('every filter holds, by value and type', async () => {
      const scope = await tasks({
        a: { statusAt: 1, contextId: '1', state: 'WORKING' },
        b: { statusAt: 2, contextId: 1, state: 'WORKING' },
        c: { statusAt: 3, contextId: true, state: 'WORKING' },
        d: { statusAt: 4, contextId: '1', state: 'FAILED' },
        e: { statusAt: 5, contextId: "'; DROP TABLE tasks; --", state: 'WORKING' },
        f: { statusAt: 6 },
      });
      const by = (contextId: string | number | boolean, state?: string): RowQuery => {
        const query = listed(scope, 'asc');
        const filters = [...query.filters, { field: 'contextId', equals: contextId }];
        if (state !== undefined) filters.push({ field: 'state', equals: state });
        return { ...query, filters };
      };
      expect(await names(by('1'))).toEqual(['a', 'd']);
      expect(await names(by(1))).toEqual(['b']);
      expect(await names(by(true))).toEqual(['c']);
      expect(await names(by(false))).toEqual([]);
      expect(await names(by('1', 'FAILED'))).toEqual(['d']);
      expect(await names(by("'; DROP TABLE tasks; --"))).toEqual(['e']);
      expect(await backend.count(by('1'))).toBe(2);
    });

    test('a query without an order goes by the bytes of the id, within its own parent', async () => {
      const parent = `tasks/${randomUUID()}`;
      const ids = ['10', '2', 'B', 'a', 'ä', '\uffee', '\u{1F600}'];
      const writes = ids.toReversed().map((id) => ({
        path: `${parent}/events/${id}`,
        fields: { id },
        expect: 'absent' as const,
      }));
      await backend.commit([], writes);
      await backend.commit([], [{ path: `${parent}x/events/5`, fields: {}, expect: 'absent' }]);
      const query: RowQuery = {
        collection: `${parent}/events`,
        filters: [],
        order: undefined,
        limit: 3,
      };
      expect(await walk(query)).toEqual(ids);
      expect(await backend.count({ ...query, limit: 100 })).toBe(ids.length);
      const range = { from: { value: '2', inclusive: false }, to: { value: 'a', inclusive: true } };
      expect(await names({ ...query, ...range })).toEqual(['B', 'a']);
    });

    test('a query by a field goes by the id as well, between bounds and from place to place', async () => {
      const taskId = randomUUID();
      const ids = ['01', '02', '03', '04'].map((at) => `${at}-${taskId}`);
      const rows = [...ids.map((id) => [id, taskId]), [`03-other-${taskId}`, 'other']];
      await backend.commit(
        [],
        rows.map(([id = '', task = '']) => ({
          path: `audit/${id}`,
          fields: { taskId: task },
          expect: 'absent' as const,
        })),
      );
      const query: RowQuery = {
        collection: 'audit',
        filters: [{ field: 'taskId', equals: taskId }],
        order: undefined,
        limit: 1,
      };
      expect(await walk(query)).toEqual(['01', '02', '03', '04']);
      const range = {
        from: { value: '02', inclusive: true },
        to: { value: '04', inclusive: false },
      };
      expect(await walk({ ...query, ...range })).toEqual(['02', '03']);
      expect(await names({ ...query, ...range, filters: [], limit: 100 })).toEqual(
        expect.arrayContaining(['02', '03']),
      );
    });

    test('a count goes as far as the limit, and no further', async () => {
      const scope = await tasks({ a: { statusAt: 1 }, b: { statusAt: 2 }, c: { statusAt: 3 } });
      expect(await backend.count(listed(scope, 'asc', 3))).toBe(3);
      expect(await backend.count(listed(scope, 'asc', 2))).toBe(2);
      expect(await backend.count(listed(scope, 'asc', 0))).toBe(0);
      expect(await backend.count(listed(randomUUID(), 'asc'))).toBe(0);
    });

    test('what is due in a shard comes oldest first, bytes in the rows and all', async () => {
      // A shard is a number; this one is no other test's.
      const shard = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
      const rows = [30, 10, null, 20, 40].map((dueAt) => ({
        path: `runs/${randomUUID()}`,
        fields: { shard, dueAt, sealed: Uint8Array.of(dueAt ?? 0) },
        expect: 'absent' as const,
      }));
      await backend.commit([], rows);
      const query: RowQuery = {
        collection: 'runs',
        filters: [{ field: 'shard', equals: shard }],
        order: { field: 'dueAt', direction: 'asc' },
        to: { value: 30, inclusive: true },
        limit: 10,
      };
      const found = await backend.query(query);
      expect(found.map((row) => row.fields['sealed'])).toEqual(
        [10, 20, 30].map((n) => Uint8Array.of(n)),
      );
      expect(await backend.read(found.map((row) => row.path))).toEqual(found);
    });

    test.each<[string, Partial<RowQuery>]>([
      ['an order that no index has', { order: { field: 'createdAt', direction: 'asc' } }],
      ['a filter that no index has', { filters: [{ field: 'owner', equals: 'x' }] }],
      ['an order without its filter', { filters: [] }],
      ['a collection that does not exist', { collection: 'strangers' }],
      ['a collection under a malformed parent', { collection: 'tasks//events' }],
      ['a document in place of a collection', { collection: 'tasks/a' }],
    ])('%s is refused', async (_name, part) => {
      const query = { ...listed('x', 'asc'), ...part };
      await expect(backend.query(query)).rejects.toMatchObject({ advice: 'stop' });
      await expect(backend.count(query)).rejects.toMatchObject({ advice: 'stop' });
    });
  });
}
