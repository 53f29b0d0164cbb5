import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, Position, Row, RowQuery } from '../../shared/ports/backend.ts';
import { idOf, positionOf } from '../../shared/store/cursor.ts';
import type { OpenBackend, OpenedBackend } from './backend.suite.ts';

const pad = (n: number) => String(n).padStart(6, '0');
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, at) => pad(first + at));

/** News of append-only queries. */
export function followSuite(name: string, open: OpenBackend): void {
  describe(`${name}: follow`, () => {
    let opened: OpenedBackend;
    let backend: Backend;
    let other: Backend;
    beforeAll(async () => {
      opened = await open();
      ({ backend } = opened);
      other = opened.other ?? backend;
    });
    afterAll(() => opened.close());

    const journal = (limit = 100): RowQuery => ({
      collection: `tasks/${randomUUID()}/events`,
      filters: [],
      order: undefined,
      limit,
    });
    const append = (to: Backend, query: RowQuery, n: number) =>
      to.commit([], [{ path: `${query.collection}/${pad(n)}`, fields: { n }, expect: 'absent' }]);

    /**
     * A reader that notes what it gets, and tells a waiter when it has a certain number of rows.
     */
    function reader(from: Backend, query: RowQuery, after?: Position) {
      const controller = new AbortController();
      const ids: string[] = [];
      let heard = () => {};
      const ended = (async () => {
        for await (const rows of from.follow(query, after, controller.signal)) {
          ids.push(...rows.map((row: Row) => idOf(row.path)));
          heard();
        }
      })();
      return {
        ids,
        ended,
        signal: controller.signal,
        got: (count: number) =>
          new Promise<void>((resolve) => {
            heard = () => ids.length >= count && resolve();
            heard();
          }),
        async stop() {
          controller.abort();
          await ended;
        },
      };
    }

    test('a reader gets what is there, then each new row, in order', async () => {
      const query = journal();
      await append(backend, query, 1);
      await append(backend, query, 2);
      const reading = reader(backend, query);
      await reading.got(2);
      for (const n of [3, 4, 5]) {
        await append(backend, query, n);
        await reading.got(n);
      }
      expect(reading.ids).toEqual(upTo(5));
      await reading.stop();
    });

    test('a reader that waits hears of the first row of an empty journal', async () => {
      const query = journal();
      const reading = reader(backend, query);
      await append(backend, query, 1);
      await reading.got(1);
      await reading.stop();
      expect(reading.ids).toEqual(upTo(1));
    });

    test('a reader that comes back at a position misses nothing and gets nothing twice', async () => {
      const query = journal(2);
      for (const n of [1, 2, 3, 4, 5, 6, 7]) await append(backend, query, n);
      const [, second] = await backend.query(query);
      if (second === undefined) throw new Error('two rows were written');
      const reading = reader(backend, query, positionOf(query, second));
      await reading.got(5);
      await append(backend, query, 8);
      await reading.got(6);
      await reading.stop();
      expect(reading.ids).toEqual(upTo(8, 3));
    });

    test('two readers see no gap while four writers compete in two processes', async () => {
      const query = journal(7);
      const readers = [reader(backend, query), reader(other, query)];
      const writer = async (to: Backend) => {
        for (let n = 1, written = 0; written < 10; n += 1) {
          if ((await append(to, query, n)) !== 'conflict') written += 1;
        }
      };
      await Promise.all([writer(backend), writer(other), writer(backend), writer(other)]);
      for (const reading of readers) {
        await reading.got(40);
        await reading.stop();
        expect(reading.ids).toEqual(upTo(40));
      }
    });

    test('a reader hears of rows that another process wrote', async () => {
      const query = journal();
      const reading = reader(backend, query);
      for (const n of [1, 2, 3]) {
        await append(other, query, n);
        await reading.got(n);
      }
      await reading.stop();
      expect(reading.ids).toEqual(upTo(3));
    });

    test('a reader hears only of its own collection', async () => {
      const [query, neighbour] = [journal(), journal()];
      const reading = reader(backend, query);
      await append(backend, neighbour, 1);
      await append(backend, query, 2);
      await reading.got(1);
      await reading.stop();
      expect(reading.ids).toEqual([pad(2)]);
    });

    test('an abort ends a reader that waits, and leaves no listener behind', async () => {
      const readers = Array.from({ length: 20 }, () => reader(backend, journal()));
      const probe = journal();
      const reading = reader(backend, probe);
      await append(backend, probe, 1);
      await reading.got(1);
      for (const each of [...readers, reading]) {
        await each.stop();
        expect(getEventListeners(each.signal, 'abort')).toEqual([]);
      }
    });

    test('a reader whose signal has aborted already gets nothing', async () => {
      const query = journal();
      await append(backend, query, 1);
      const rows: Row[] = [];
      for await (const batch of backend.follow(query, undefined, AbortSignal.abort())) {
        rows.push(...batch);
      }
      expect(rows).toEqual([]);
    });

    test('a reader that leaves its loop is gone', async () => {
      const query = journal();
      await append(backend, query, 1);
      const { signal } = new AbortController();
      for await (const rows of backend.follow(query, undefined, signal)) {
        expect(rows).toHaveLength(1);
        break;
      }
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });
}
