import { describe, expect, it } from 'vitest';
import { binOf, counted, type Histogram, merged, percentile, topOf } from './histogram.ts';

const of = (...spans: number[]): Histogram => spans.reduce<Histogram>(counted, {});

describe('a histogram of spans', () => {
  it('has each span in a bin whose top is at most 19 % and a millisecond above it', () => {
    for (const span of [0, 0.5, 1, 2, 3, 7, 99, 1_000, 59_999, 86_400_000, 2_592_000_000]) {
      const top = topOf(binOf(span));
      expect(top, String(span)).toBeGreaterThanOrEqual(Math.floor(span));
      expect(top, String(span)).toBeLessThanOrEqual(span * 1.19 + 1);
    }
  });

  it('tells percentiles to within a bin', () => {
    const hundred = of(...Array.from({ length: 100 }, (_, at) => (at + 1) * 10));
    for (const [percent, exact] of [
      [50, 500],
      [90, 900],
      [99, 990],
    ] as const) {
      const told = percentile(hundred, percent) ?? 0;
      expect(told).toBeGreaterThanOrEqual(exact);
      expect(told).toBeLessThanOrEqual(exact * 1.19 + 1);
    }
    expect(percentile({}, 50)).toBeUndefined();
  });

  it('is the same of parts, in any order', () => {
    expect(merged(of(1, 5, 900), of(5, 70))).toEqual(of(70, 5, 5, 900, 1));
  });
});
