import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countingBackend } from '../../../test/budgets/counting-backend.ts';
import { MemoryBackend } from '../../../testing/memory-backend.ts';
import { seededIds } from '../../../testing/seeded-ids.ts';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import { Unavailable } from '../../ports/faults.ts';
import { createStore } from '../../store/store.ts';
import { createOwnerRates, type OwnerRates } from './owner-rates.ts';

function world(ownerRequests: number, processes = 1) {
  const clock = new VirtualClock();
  const backend = countingBackend(new MemoryBackend());
  const store = createStore({ backend, clock, ids: seededIds(1), deadline: 8_000 });
  const settings = { ownerRequests };
  const open = () => createOwnerRates({ clock, settings, store });
  const [rates = open(), ...others] = Array.from({ length: processes }, open);
  return { all: [rates, ...others], backend, clock, rates };
}

async function taken(rates: OwnerRates, owner: string, times: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n += 1) if ((await rates.take(owner)) === undefined) count += 1;
  return count;
}

describe('the requests of an owner', () => {
  it('may come at once as the bucket holds, and then at the rate; who is over it is told when to come', async () => {
    const { clock, rates } = world(10);
    expect(await taken(rates, 'ada', 100)).toBe(100);
    expect(await rates.take('ada')).toBe(1);
    await clock.advance(1_000);
    expect(await taken(rates, 'ada', 20)).toBe(10);
    expect(await rates.take('ada')).toBe(1);
    expect(await rates.take('ben')).toBeUndefined();
  });

  it('below a twentieth of the rate cost nothing, and above it a transaction for each second of it', async () => {
    const { backend, clock, rates } = world(1_000);
    for (let second = 0; second < 10; second += 1) {
      expect(await taken(rates, 'ada', 50)).toBe(50);
      await clock.advance(1_000);
    }
    expect(backend.counted().transactions).toBe(0);
    expect(await taken(rates, 'ada', 5_050)).toBe(5_050);
    expect(backend.counted().transactions).toBe(5);
  });

  it('are told apart by owner, and 0 is no limit', async () => {
    const { backend, rates } = world(0);
    expect(await taken(rates, 'ada', 10_000)).toBe(10_000);
    expect(backend.counted().transactions).toBe(0);
  });

  it('over all processes are never more than rate, bucket and a twentieth for each process', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(2), wait: fc.nat(900), burst: fc.nat(400) }), {
          maxLength: 40,
        }),
        async (steps) => {
          const { all, clock } = world(100, 3);
          const began = clock.now();
          let admitted = 0;
          for (const { at, burst, wait } of steps) {
            const rates = all[at];
            if (rates !== undefined) admitted += await taken(rates, 'ada', burst);
            await clock.advance(wait);
          }
          const seconds = (clock.now() - began) / 1_000;
          const free = all.length * 5 * (seconds + 1);
          expect(admitted).toBeLessThanOrEqual(100 * seconds + 1_000 + free);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are let through while the store is away: what they are for needs it, too', async () => {
    const clock = new VirtualClock();
    const store = { transact: () => Promise.reject(new Unavailable('Firestore')) };
    const rates = createOwnerRates({ clock, store, settings: { ownerRequests: 1 } });
    expect(await taken(rates, 'ada', 5)).toBe(5);
  });
});
