import { describe, expect, it } from 'vitest';
import { countingBackend } from '../../../test/budgets/counting-backend.ts';
import { MemoryBackend } from '../../../testing/memory-backend.ts';
import { memorySealer } from '../../../testing/memory-sealer.ts';
import { seededIds } from '../../../testing/seeded-ids.ts';
import { createKeyRing } from '../key-ring.ts';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import { defaults } from '../../domain/settings.ts';
import { isRefused } from '../../domain/refusal.ts';
import { createStore } from '../../store/store.ts';
import { listApiKeys, makeApiKey, revokeApiKey } from './manage-api-keys.ts';
import { removeOldApiKeys } from './remove-old-api-keys.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function world() {
  const clock = new VirtualClock();
  const backend = countingBackend(new MemoryBackend());
  const ids = seededIds(1);
  const store = createStore({ backend, clock, ids, deadline: 8_000 });
  const keys = createKeyRing(memorySealer(ids), clock);
  const work = { clock, ids, keys, settings: defaults, store };
  const make = async (owner: string, life?: number): Promise<string> => {
    const wanted = { owner, tenant: '', label: '', ...(life !== undefined && { life }) };
    const made = await makeApiKey(work, wanted, 'olga');
    if (isRefused(made)) throw new Error(made.message);
    return made.key.id;
  };
  const owners = async (): Promise<readonly string[]> =>
    (await listApiKeys(work)).keys.map(({ owner }) => owner).sort();
  const sweeps = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      await removeOldApiKeys(work);
      await clock.advance(MINUTE);
    }
  };
  return {
    backend,
    clock,
    make,
    owners,
    revoke: (id: string) => revokeApiKey(work, id, 'olga'),
    sweeps,
  };
}

describe('the row of an API key', () => {
  it('goes 30 days after the key was revoked or ran out, by the sweeps of some hours', async () => {
    const { clock, make, owners, revoke, sweeps } = world();
    await make('holds');
    await make('ran out', HOUR);
    await make('runs long', 60 * DAY);
    await revoke(await make('revoked'));
    await clock.advance(30 * DAY - 12 * HOUR);
    await sweeps(11 * 60);
    expect(await owners()).toEqual(['holds', 'ran out', 'revoked', 'runs long']);
    await clock.advance(2 * HOUR);
    await sweeps(10 * 60);
    expect(await owners()).toEqual(['holds', 'runs long']);
  });

  it('costs a sweep one read where there is none, and five at most', async () => {
    const { backend, make, sweeps } = world();
    await sweeps(1);
    expect(backend.counted()).toEqual({ transactions: 0, reads: 1, writes: 0 });
    for (let n = 0; n < 40; n += 1) await make(`owner-${n}`);
    backend.counted();
    for (let n = 0; n < 20; n += 1) {
      await sweeps(1);
      const { reads, ...written } = backend.counted();
      expect(written).toEqual({ transactions: 0, writes: 0 });
      expect(reads).toBeLessThanOrEqual(5);
    }
  });

  it('that this version can not read is left', async () => {
    const { backend, clock, sweeps } = world();
    const path = 'apiKeys/ffffffffffffffff';
    await backend.commit([], [{ path, fields: { v: 99 }, expect: 'any' }]);
    await clock.advance(90 * DAY);
    await sweeps(20);
    expect(await backend.read([path])).toHaveLength(1);
    expect((await backend.read([path]))[0]).toBeDefined();
  });
});
