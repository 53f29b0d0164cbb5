import { bin, deviation, mean, quantileSorted, ticks } from 'd3-array';
import { type Occurrence, total } from './tally.ts';

/** A value with what its cell reads as. */
export type Read<T> = Occurrence & { readonly reading: T };

/**
 * Describes numbers; undefined when there are none. Quantiles are interpolated as spreadsheets, R
 * and NumPy do by default.
 */
export function summarizeNumbers(numbers: readonly Read<number>[]) {
  const values = new Float64Array(total(numbers));
  numbers.reduce((at, { reading, count }) => {
    values.fill(reading, at, at + count);
    return at + count;
  }, 0);
  const sorted = Array.from(values.sort());
  const min = sorted[0];
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return undefined;
  // Neither tidying nor a sum that overflows may carry a value out of the range that it comes from.
  const within = (value = min): number => Math.min(max, Math.max(min, tidy(value)));
  const at = (share: number): number => within(quantileSorted(sorted, share));
  const spread = deviation(sorted) ?? Number.NaN;
  const summary = {
    count: sorted.length,
    min,
    p5: at(0.05),
    p25: at(0.25),
    median: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    max,
    mean: within(mean(sorted)),
    /** Of a sample (n - 1); null for a single value, and where doubles can't hold it. */
    standardDeviation: Number.isFinite(spread) ? tidy(spread) : null,
  };
  const { low, high } = fencesOf(summary);
  const near = sorted.filter((value) => value >= low && value <= high);
  /** Values too far off to be drawn on one scale with the others are in no bin. */
  return { ...summary, histogram: binsOf(near) };
}

/**
 * Tukey's outer fences, three interquartile ranges to either side of the middle half; none where
 * that says nothing.
 */
export function fencesOf({ count, p25, p75 } = { count: 0, p25: 0, p75: 0 }): {
  readonly low: number;
  readonly high: number;
} {
  const reach = count < 20 || p75 === p25 ? Infinity : 3 * (p75 - p25);
  return { low: p25 - reach, high: p75 + reach };
}

/** How many values lie from `from`, included, to `to`, excluded; the last bin includes its end. */
function binsOf(near: readonly number[]): readonly { from: number; to: number; count: number }[] {
  // Halves of an integer would leave every second bin empty.
  const whole = near.every(Number.isInteger);
  // The Rice rule: a handful of values in sixteen bins would be a comb.
  const most = Math.min(16, Math.ceil(2 * Math.cbrt(near.length)));
  const edges = (_: unknown, from: number, to: number): number[] =>
    ticks(from, to, most).filter((edge) => !whole || Number.isInteger(edge));
  const bins = bin().thresholds(edges)(near);
  return bins.map(({ x0 = 0, x1 = 0, length }) => ({ from: x0, to: x1, count: length }));
}

/** Drops the digits that are only the noise of binary fractions: 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
