import type { Fences } from './fences.ts';
import { total } from './tally.ts';

/** How many values lie from `from`, included, to `to`, excluded. */
export type Bin = { readonly from: number; readonly to: number; readonly count: number };

/** The values in bins, and how many lie too far off to be drawn on one scale with the others. */
export type Histogram = {
  readonly bins: readonly Bin[];
  readonly below: number;
  readonly above: number;
};

type Values = readonly { readonly value: number; readonly count: number }[];

const MOST_BINS = 16;

/** Bins sorted values within the fences: a single zero too many would leave all others in one bar. */
export function histogram(sorted: Values, fences: Fences | undefined): Histogram {
  const { low, high } = fences ?? { low: -Infinity, high: Infinity };
  return {
    bins: binsOf(sorted.filter(({ value }) => value >= low && value <= high)),
    below: total(sorted.filter(({ value }) => value < low)),
    above: total(sorted.filter(({ value }) => value > high)),
  };
}

/**
 * Counts sorted values in bins of one width with round edges (a step of 1, 2 or 5 times a power of ten). Where no step parts
 * them (one value, or values that differ only in the last digits of a double) there is one bin from the least to the largest.
 */
function binsOf(sorted: Values): readonly Bin[] {
  const min = sorted[0]?.value;
  const max = sorted.at(-1)?.value;
  if (min === undefined || max === undefined) return [];
  const whole = sorted.every(({ value }) => Number.isInteger(value));
  const count = total(sorted);
  // The Rice rule: a handful of values in sixteen bins would be a comb.
  const most = Math.min(MOST_BINS, Math.ceil(2 * Math.cbrt(count)));
  const step = roundStep((max - min) / most, whole);
  const first = Math.floor(min / step);
  const last = Math.floor(max / step);
  const edge = (index: number): number => Number(((first + index) * step).toPrecision(12));
  const bins = last - first + 1;
  if (
    min === max ||
    !Number.isFinite(step) ||
    !Number.isFinite(bins) ||
    bins > 2 * MOST_BINS ||
    edge(1) <= edge(0)
  ) {
    return [{ from: min, to: max, count }];
  }
  const counts = Array.from({ length: bins }, () => 0);
  for (const { value, count: weight } of sorted) {
    const index = Math.min(bins - 1, Math.max(0, Math.floor(value / step) - first));
    counts[index] = (counts[index] ?? 0) + weight;
  }
  return counts.map((inBin, index) => ({ from: edge(index), to: edge(index + 1), count: inBin }));
}

function roundStep(atLeast: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= atLeast) ?? 10);
  // Halves of an integer would leave every second bin empty.
  return whole ? Math.max(1, step) : step;
}
