import { fencesOf } from './fences.ts';
import { type Histogram, histogram } from './histogram.ts';
import { total } from './tally.ts';

export type Weighted = { readonly value: number; readonly count: number };

export type NumberSummary = {
  readonly kind: 'numbers';
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly median: number;
  /** Of a sample (n - 1); null for a single value. */
  readonly standardDeviation: number | null;
  readonly quantiles: {
    readonly p5: number;
    readonly p25: number;
    readonly p75: number;
    readonly p95: number;
  };
  readonly histogram: Histogram;
};

/** Describes numbers given as distinct values with their counts; undefined when there are none. */
export function summarizeNumbers(values: readonly Weighted[]): NumberSummary | undefined {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { value: min } = first;
  const { value: max } = last;
  // Tidying must not carry a value out of the range that it comes from.
  const within = (value: number): number => Math.min(max, Math.max(min, tidy(value)));
  const at = quantileOf(sorted);
  const { count, mean, deviation } = moments(sorted);
  return {
    kind: 'numbers',
    count,
    min,
    max,
    mean: within(mean),
    median: within(at(0.5)),
    standardDeviation: deviation === null ? null : tidy(deviation),
    quantiles: {
      p5: within(at(0.05)),
      p25: within(at(0.25)),
      p75: within(at(0.75)),
      p95: within(at(0.95)),
    },
    histogram: histogram(sorted, fencesOf(count, at(0.25), at(0.75))),
  };
}

function moments(values: readonly Weighted[]): {
  count: number;
  mean: number;
  deviation: number | null;
} {
  const count = total(values);
  const sum = values.reduce((so, { value, count: weight }) => so + value * weight, 0);
  // Near the largest double a sum overflows where the mean does not.
  const mean = Number.isFinite(sum)
    ? sum / count
    : values.reduce((so, { value, count: weight }) => so + value * (weight / count), 0);
  // In a second pass: a sum of squares of the values themselves would swamp their differences.
  const squares = values.reduce((so, { value, count: n }) => so + n * (value - mean) ** 2, 0);
  const deviation = count > 1 ? Math.sqrt(squares / (count - 1)) : null;
  return { count, mean, deviation: Number.isFinite(deviation) ? deviation : null };
}

/** Quantiles with linear interpolation between ranks, as spreadsheets, R and NumPy do by default. */
function quantileOf(sorted: readonly Weighted[]): (share: number) => number {
  const ends: number[] = [];
  let count = 0;
  for (const { count: weight } of sorted) ends.push((count += weight));
  const valueAt = (rank: number): number => {
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > rank) high = middle;
      else low = middle + 1;
    }
    return sorted[low]?.value ?? Number.NaN;
  };
  return (share) => {
    const rank = (count - 1) * share;
    const below = valueAt(Math.floor(rank));
    const above = valueAt(Math.ceil(rank));
    const part = rank - Math.floor(rank);
    return below * (1 - part) + above * part;
  };
}

/** Drops the digits that are only the noise of binary fractions: 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
