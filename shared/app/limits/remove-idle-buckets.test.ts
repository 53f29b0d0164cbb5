import { describe, expect, it } from 'vitest';
import { countingBackend } from '../../../test/budgets/counting-backend.ts';
import { MemoryBackend } from '../../../testing/memory-backend.ts';
import { seededIds } from '../../../testing/seeded-ids.ts';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import type { RowQuery } from '../../ports/backend.ts';
import { createStore } from '../../store/store.ts';
import { bucketDoc } from './owner-bucket.ts';
import { createOwnerRates } from './owner-rates.ts';
import { removeIdleBuckets } from './remove-idle-buckets.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ALL: RowQuery = { collection: 'quotas', filters: [], order: undefined, limit: 1_000 };

function world() {
  const clock = new VirtualClock();
  const backend = countingBackend(new MemoryBackend());
  const store = createStore({ backend, clock, ids: seededIds(1), deadline: 8_000 });
  const rates = createOwnerRates({ clock, store, settings: { ownerRequests: 1 } });
  const over = async (owner: string) => {
    await rates.take(owner);
    await rates.take(owner);
  };
  const sweeps = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await removeIdleBuckets({ clock, store });
      await clock.advance(MINUTE);
    }
  };
  return { backend, clock, over, rates, store, sweeps };
}

describe('the bucket of an owner', () => {
  it('is kept for a day after it was last used, and then removed by the sweeps of some hours', async () => {
    const { backend, clock, over, store, sweeps } = world();
    for (let n = 0; n < 100; n += 1) await over(`owner-${n}`);
    await sweeps(12 * 60);
    expect(await backend.count(ALL)).toBe(100);
    await over('owner-7');
    await clock.advance(DAY / 2);
    await sweeps(10 * 60);
    expect(await backend.count(ALL)).toBe(1);
    expect(await store.get(bucketDoc('owner-7'))).toBeDefined();
  });

  it('is the same when it was removed as when it is full', async () => {
    const { clock, over, rates, store, sweeps } = world();
    const burst = async () => {
      let taken = 0;
      while ((await rates.take('ada')) === undefined) taken += 1;
      return taken;
    };
    await over('ada');
    await clock.advance(DAY - MINUTE);
    const full = await burst();
    await clock.advance(DAY);
    await sweeps(10 * 60);
    expect(await store.get(bucketDoc('ada'))).toBeUndefined();
    expect(await burst()).toBe(full);
  });

  it('costs a sweep one read where there is none, and twenty at most where none is idle', async () => {
    const { backend, over, sweeps } = world();
    await sweeps(1);
    expect(backend.counted()).toEqual({ transactions: 0, reads: 1, writes: 0 });
    for (let n = 0; n < 100; n += 1) await over(`owner-${n}`);
    backend.counted();
    for (let n = 0; n < 50; n += 1) {
      await sweeps(1);
      const { reads, ...written } = backend.counted();
      expect(written).toEqual({ transactions: 0, writes: 0 });
      expect(reads).toBeLessThanOrEqual(20);
    }
  });

  it('stays when its owner comes back while it is being removed', async () => {
    const { clock, over, store } = world();
    await over('ada');
    await clock.advance(DAY);
    const back = clock.now();
    const racing: typeof store = {
      ...store,
      async page(query, after) {
        const rows = await store.page(query, after);
        if (rows.length > 0) await over('ada');
        return rows;
      },
    };
    for (let n = 0; n < 200; n += 1) {
      await removeIdleBuckets({ clock, store: racing });
      await clock.advance(1);
    }
    expect((await store.get(bucketDoc('ada')))?.at).toBeGreaterThanOrEqual(back);
  });

  it('that this version can not read is left', async () => {
    const { backend, clock, sweeps } = world();
    const fields = { v: 99, at: clock.now() };
    await backend.commit([], [{ path: 'quotas/f', fields, expect: 'any' }]);
    await clock.advance(2 * DAY);
    await sweeps(10);
    expect(await backend.count(ALL)).toBe(1);
  });
});
