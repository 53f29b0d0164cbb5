import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, Fields } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { Codec, Doc, Query, Store, Transaction } from '../../shared/ports/store.ts';
import { createStore } from '../../shared/store/store.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { impatientClock } from '../../testing/virtual-clock.ts';
import type { OpenBackend, OpenedBackend } from './backend.suite.ts';

/** The transaction engine over a backend. */
export function storeSuite(name: string, open: OpenBackend): void {
  describe(`${name}: store`, () => {
    let opened: OpenedBackend;
    let backend: Backend;
    let store: Store;
    beforeAll(async () => {
      opened = await open();
      ({ backend } = opened);
      store = storeOver(backend);
    });
    afterAll(() => opened.close());

    test('sixteen contenders for one document each have their turn', async () => {
      const doc = somewhere();
      const stores = [store, storeOver(opened.other ?? backend)];
      const turns = Array.from({ length: 16 }, (_, at) =>
        (stores[at % 2] ?? store).transact(add(doc)),
      );
      const results = await Promise.all(turns);
      expect(results.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 16 }, (_, at) => at + 1),
      );
      expect(await store.get(doc)).toEqual({ n: 16 });
    });

    test('a body runs again when a document that it only read has changed', async () => {
      const [read, written] = [somewhere(), somewhere()];
      await store.transact(async (tx) => tx.create(read, { n: 1 }));
      const attempts: unknown[] = [];
      await store.transact(async (tx) => {
        const seen = await tx.get(read);
        attempts.push([tx.attempt, seen]);
        if (tx.attempt === 1) await overwrite(read, { n: 2 });
        tx.set(written, { saw: seen?.['n'] ?? null });
      });
      expect(attempts).toEqual([
        [1, { n: 1 }],
        [2, { n: 2 }],
      ]);
      expect(await store.get(written)).toEqual({ saw: 2 });
    });

    test('a body runs again when a document that was not there has come', async () => {
      const [absent, written] = [somewhere(), somewhere()];
      const seen = await store.transact(async (tx) => {
        const before = await tx.get(absent);
        if (tx.attempt === 1) await overwrite(absent, { n: 1 });
        tx.set(written, {});
        return before;
      });
      expect(seen).toEqual({ n: 1 });
    });

    test('creating what exists runs the body again, which then sees it', async () => {
      const doc = somewhere();
      await overwrite(doc, { mine: false });
      const answer = await store.transact(async (tx) => {
        // As a body does that expects the document to be new and reads it only on the way back.
        if (tx.attempt > 1) return tx.get(doc);
        tx.create(doc, { mine: true });
        return undefined;
      });
      expect(answer).toEqual({ mine: false });
    });

    test('a document can be deleted, and what was read before must still be so', async () => {
      const doc = somewhere();
      await overwrite(doc, { n: 1 });
      await store.transact(async (tx) => {
        const seen = await tx.get(doc);
        if (tx.attempt === 1) await overwrite(doc, { n: 2 });
        if (seen?.['n'] === 2) tx.delete(doc);
        else tx.set(doc, { n: 9 });
      });
      expect(await store.get(doc)).toBeUndefined();
    });

    test('a write whose answer is lost is done once by a body that recognises its commit', async () => {
      const doc = somewhere();
      const lossy = losing(backend, 'after');
      const attempts: number[] = [];
      const commitId = randomUUID();
      const outcome = await storeOver(lossy.backend).transact(async (tx) => {
        attempts.push(tx.attempt);
        const seen = await tx.get(doc);
        if (seen?.['commitId'] === commitId) return 'recognised';
        tx.set(doc, { n: Number(seen?.['n'] ?? 0) + 1, commitId });
        return 'written';
      });
      expect(outcome).toBe('recognised');
      expect(attempts).toEqual([1, 2]);
      expect(await store.get(doc)).toEqual({ n: 1, commitId });
      expect(lossy.commits()).toBe(1);
    });

    test('a create whose answer is lost is found by its body, not made twice', async () => {
      const [doc, log] = [somewhere(), somewhere()];
      const commitId = randomUUID();
      const outcome = await storeOver(losing(backend, 'after').backend).transact(async (tx) => {
        const seen = await tx.get(doc);
        if (seen !== undefined) return seen['commitId'] === commitId ? 'mine' : 'theirs';
        tx.create(doc, { commitId });
        tx.create(log, { of: commitId });
        return 'new';
      });
      expect(outcome).toBe('mine');
      expect(await store.getAll([doc, log])).toEqual([{ commitId }, { of: commitId }]);
    });

    test('a write that never arrived is sent again', async () => {
      const doc = somewhere();
      expect(await storeOver(losing(backend, 'before').backend).transact(add(doc))).toBe(1);
      expect(await store.get(doc)).toEqual({ n: 1 });
    });

    test('a store that stays away is Unavailable at the deadline, and a busy document Contention', async () => {
      const doc = somewhere();
      const away: Backend = {
        ...forwarding(backend),
        commit: () => Promise.reject(new Unavailable('the store')),
      };
      await expect(storeOver(away).transact(add(doc), 1_000)).rejects.toMatchObject({
        name: 'Unavailable',
        advice: 'retry',
      });
      const busy: Backend = { ...forwarding(backend), commit: async () => 'conflict' };
      await expect(storeOver(busy).transact(add(doc), 1_000)).rejects.toMatchObject({
        name: 'Contention',
        advice: 'retry',
      });
      expect(await store.get(doc)).toBeUndefined();
    });

    test('a body that throws writes nothing and is not run again', async () => {
      const doc = somewhere();
      let runs = 0;
      const failing = store.transact(async (tx) => {
        runs += 1;
        tx.set(doc, { n: 1 });
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow(RangeError);
      expect(runs).toBe(1);
      expect(await store.get(doc)).toBeUndefined();
    });

    test('a document over the limit fails the transaction at once', async () => {
      const doc = somewhere();
      let runs = 0;
      const failing = store.transact(async (tx) => {
        runs += 1;
        tx.set(doc, { bytes: new Uint8Array(1_100_000) });
      });
      await expect(failing).rejects.toMatchObject({ name: 'TooLarge' });
      expect(runs).toBe(1);
    });

    test('a body that only reads commits nothing', async () => {
      const counting = losing(backend, 'never');
      await storeOver(counting.backend).transact(async (tx) => tx.get(somewhere()));
      expect(counting.commits()).toBe(0);
    });

    test('a read after a write, or a second write of one document, is refused', async () => {
      const doc = somewhere();
      const late = store.transact(async (tx) => {
        tx.set(doc, {});
        return tx.get(doc);
      });
      await expect(late).rejects.toMatchObject({ name: 'ReadAfterWrite', advice: 'stop' });
      const twice = store.transact(async (tx) => {
        tx.set(doc, {});
        tx.delete(doc);
      });
      await expect(twice).rejects.toMatchObject({ name: 'WrittenTwice', advice: 'stop' });
      expect(await store.get(doc)).toBeUndefined();
    });

    test('pages by cursor meet every row once, and a foreign cursor is refused', async () => {
      const scope = randomUUID();
      await store.transact(async (tx) => {
        for (const n of [1, 2, 2, 2, 3].entries()) {
          tx.create(at(`tasks/${n[0]}-${scope}`), { scope, statusAt: n[1] });
        }
      });
      const query: Query<Fields> = {
        collection: 'tasks',
        filters: [{ field: 'scope', equals: scope }],
        order: { field: 'statusAt', direction: 'desc' },
        limit: 2,
        codec: plain,
      };
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.page(query, cursor);
        ids.push(...page.map(({ id }) => id.charAt(0)));
        cursor = page.at(-1)?.cursor;
      } while (cursor !== undefined);
      expect(ids).toEqual(['4', '3', '2', '1', '0']);
      expect(await store.count({ ...query, limit: 10 })).toBe(5);
      await expect(store.page(query, 'nonsense')).rejects.toMatchObject({ name: 'BadCursor' });
    });

    test('a follower goes on at the cursor of the last row that it had', async () => {
      const parent = `tasks/${randomUUID()}`;
      const query: Query<Fields> = {
        collection: `${parent}/events`,
        filters: [],
        order: undefined,
        limit: 2,
        codec: plain,
      };
      for (const n of [1, 2, 3, 4, 5]) await overwrite(at(`${parent}/events/${n}`), { n });
      const first = await next(query, undefined);
      expect(first.map(({ value }) => value)).toEqual([{ n: 1 }, { n: 2 }]);
      const second = await next(query, first[0]?.cursor);
      expect(second.map(({ id }) => id)).toEqual(['2', '3']);
    });

    async function next(query: Query<Fields>, after: string | undefined) {
      for await (const entries of store.follow(query, after, new AbortController().signal)) {
        return entries;
      }
      return [];
    }

    async function overwrite(doc: Doc<Fields>, fields: Fields): Promise<void> {
      await backend.commit([], [{ path: doc.path, fields, expect: 'any' }]);
    }
  });
}

const plain: Codec<Fields> = { encode: (fields) => fields, decode: (fields) => fields };
const at = (path: string): Doc<Fields> => ({ path, codec: plain });
const somewhere = (): Doc<Fields> => at(`tasks/${randomUUID()}`);

const add =
  (doc: Doc<Fields>) =>
  async (tx: Transaction): Promise<number> => {
    const n = Number((await tx.get(doc))?.['n'] ?? 0) + 1;
    tx.set(doc, { n });
    return n;
  };

/**
 * Pauses between attempts cost no time; the deadline is far, since the contenders share the hurried
 * clock.
 */
function storeOver(backend: Backend): Store {
  return createStore({ backend, clock: impatientClock(), ids: seededIds(), deadline: 3_600_000 });
}

/** A backend is a class instance with private state, which a spread would lose. */
function forwarding(backend: Backend): Backend {
  return {
    read: (paths) => backend.read(paths),
    commit: (checks, writes) => backend.commit(checks, writes),
    query: (query, after) => backend.query(query, after),
    count: (query) => backend.count(query),
    follow: (query, after, signal) => backend.follow(query, after, signal),
    watch: (path, signal) => backend.watch(path, signal),
    close: () => backend.close(),
  };
}

/** The first commit's answer is lost, before it was applied or after. */
function losing(backend: Backend, when: 'before' | 'after' | 'never') {
  let calls = 0;
  let commits = 0;
  const lossy: Backend = {
    ...forwarding(backend),
    async commit(checks, writes) {
      calls += 1;
      const lost = calls === 1;
      if (lost && when === 'before') throw new Unavailable('the store');
      const outcome = await backend.commit(checks, writes);
      commits += 1;
      if (lost && when === 'after') throw new Unavailable('the store');
      return outcome;
    },
  };
  return { backend: lossy, commits: () => commits };
}
