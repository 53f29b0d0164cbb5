import { describe, expect, it } from 'vitest';
import { MemoryBackend } from '../../testing/memory-backend.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { wrapped } from '../../test/app/wrapped.ts';
import type { Backend, Fields } from '../ports/backend.ts';
import { Unavailable } from '../ports/faults.ts';
import type { Doc } from '../ports/store.ts';
import { RememberedRows } from './remembered-rows.ts';
import { createStore } from './store.ts';

const codec = { encode: (fields: Fields) => fields, decode: (fields: Fields) => fields };
const doc: Doc<Fields> = { path: 'runs/one', codec, remembered: true };
const plain: Doc<Fields> = { path: 'receipts/one', codec };

function stores(over: (below: Backend) => Partial<Backend> = () => ({})) {
  const below = new MemoryBackend();
  const reads: string[] = [];
  const clock = { ...bound(new VirtualClock()), sleep: async () => undefined };
  const backend = wrapped(below, {
    read: (paths) => {
      reads.push(...paths);
      return below.read(paths);
    },
    ...over(below),
  });
  const open = () => createStore({ backend, clock, ids: seededIds(1), deadline: 1_000 });
  return { mine: open(), another: open(), reads };
}

function bound(clock: VirtualClock) {
  return {
    now: () => clock.now(),
    after: (span: number, callback: () => void) => clock.after(span, callback),
  };
}

/** Adds one, if there is something to add to. */
const increment = (store: ReturnType<typeof createStore>) =>
  store.transact(async (tx) => {
    const n = (await tx.get(doc))?.['n'];
    if (typeof n !== 'number' || n < 0) return undefined;
    tx.set(doc, { n: n + 1 });
    return n + 1;
  });

const put = (store: ReturnType<typeof createStore>, n: number) =>
  store.transact(async (tx) => {
    tx.set(doc, { n });
    tx.set(plain, { n });
  });

describe('a row that this process wrote', () => {
  it('is not read again by its next transaction; what is not marked to be remembered is', async () => {
    const { mine, reads } = stores();
    await put(mine, 1);
    expect(await increment(mine)).toBe(2);
    expect(await increment(mine)).toBe(3);
    expect(reads).toEqual([]);
    await mine.transact((tx) => tx.get(plain));
    expect(reads).toEqual([plain.path]);
  });

  it('is read when another process has written it since: its version is checked by the commit', async () => {
    const { mine, another, reads } = stores();
    await put(mine, 1);
    await put(another, 10);
    expect(await increment(mine)).toBe(11);
    expect(reads).toEqual([doc.path]);
  });

  it('is read before it refuses anything, in the same moment', async () => {
    const { mine, another, reads } = stores();
    await put(mine, -1);
    await put(another, 4);
    expect(await increment(mine)).toBe(5);
    expect(reads).toEqual([doc.path]);
  });

  it('is read before a fault is believed that it led to', async () => {
    const { mine, another } = stores();
    await put(mine, -1);
    await put(another, 4);
    const strict = mine.transact(async (tx) => {
      const n = (await tx.get(doc))?.['n'];
      if (n === -1) throw new RangeError('negative');
      return n;
    });
    expect(await strict).toBe(4);
  });

  it('is always read by a reader outside of a transaction', async () => {
    const { mine, another } = stores();
    await put(mine, 1);
    await put(another, 2);
    expect(await mine.get(doc)).toEqual({ n: 2 });
  });

  it.each([
    ['was applied', true],
    ['was not', false],
  ])('is forgotten with a commit whose outcome is unknown and that %s', async (_, applied) => {
    const lose = { next: false };
    const { mine, reads } = stores((below) => ({
      async commit(checks, writes) {
        if (!lose.next) return below.commit(checks, writes);
        lose.next = false;
        if (applied) await below.commit(checks, writes);
        throw new Unavailable('the store');
      },
    }));
    await put(mine, 1);
    lose.next = true;
    // This body does not recognise its own commit, so it shows whether the second try read anew.
    expect(await increment(mine)).toBe(applied ? 3 : 2);
    expect(reads).toEqual([doc.path]);
  });
});

describe('what is remembered', () => {
  it('is bounded by its bytes: the oldest goes', () => {
    const rows = new RememberedRows(1_000);
    const text = { text: 'x'.repeat(400) };
    for (const path of ['a', 'b', 'c'])
      rows.remember(path, { version: '1', value: text, codec }, text);
    expect(['a', 'b', 'c'].map((path) => rows.get(path) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    const known = () => ['a', 'b', 'c', 'd'].filter((path) => rows.get(path) !== undefined);
    expect(known()).toEqual(['b', 'c']);
    rows.forget('b');
    expect(known()).toEqual(['c']);
    // What is too large takes no other's place, and what was there before it is out of date.
    rows.remember('c', { version: '2', value: text, codec }, { text: 'x'.repeat(2_000) });
    expect(known()).toEqual([]);
  });
});
