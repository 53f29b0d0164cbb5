import { describe, expect, it } from 'vitest';
import { failedAgain, letThrough, openedFor } from './circuit.ts';

const rests = { first: 30_000, most: 300_000 };
const open = openedFor({ remote: 'peer', faults: 5, reason: 'dns' }, rests, 1_000);

describe('a circuit', () => {
  it('rests for the first span when it opens', () => {
    expect(open).toMatchObject({ openedAt: 1_000, openUntil: 31_000, faults: 5, probes: 0 });
  });

  it('lets nothing through while it rests, and one call when that is over', () => {
    expect(letThrough(open, 35_000, 30_999)).toBeUndefined();
    const half = letThrough(open, 35_000, 31_000);
    expect(half).toMatchObject({ probes: 1, openUntil: 66_000 });
    expect(half && letThrough(half, 35_000, 31_000)).toBeUndefined();
  });

  it('rests longer after each call that was let through in vain, up to the longest rest', () => {
    let circuit = open;
    const spans: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      const now = circuit.openUntil;
      const half = letThrough(circuit, 35_000, now) ?? circuit;
      circuit = failedAgain(half, 'timeout', rests, now);
      spans.push(circuit.openUntil - now);
    }
    expect(spans).toEqual([60_000, 120_000, 240_000, 300_000, 300_000, 300_000]);
    expect(circuit).toMatchObject({ faults: 11, reason: 'timeout', openedAt: 1_000 });
  });

  it('does not rest longer for a call that began before it opened', () => {
    expect(failedAgain(open, 'dns', rests, 1_000).openUntil).toBe(31_000);
  });
});
