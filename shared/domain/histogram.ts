import type { Millis } from './brand.ts';

/** How many spans fell into each bin, by its number: four bins to each doubling of a span. */
export type Histogram = Readonly<Record<string, number>>;

const BINS = 4;

/** The bin of a span: 0 is less than a millisecond, and no bin is wider than 19 % of its spans. */
export const binOf = (span: Millis): number =>
  span < 1 ? 0 : 1 + Math.floor(Math.log2(span) * BINS);

/** No span of the bin is longer. */
export const topOf = (bin: number): Millis => Math.ceil(2 ** (bin / BINS));

export const counted = (histogram: Histogram, span: Millis): Histogram => {
  const bin = String(binOf(span));
  return { ...histogram, [bin]: (histogram[bin] ?? 0) + 1 };
};

/** Any number of histograms, in any order, are one. */
export function merged(a: Histogram, b: Histogram): Histogram {
  const sum: Record<string, number> = { ...a };
  for (const [bin, count] of Object.entries(b)) sum[bin] = (sum[bin] ?? 0) + count;
  return sum;
}

export const countOf = (histogram: Histogram): number =>
  Object.values(histogram).reduce((sum, count) => sum + count, 0);

/** No more than so many of a hundred spans are longer than this; undefined where there are none. */
export function percentile(histogram: Histogram, percent: number): Millis | undefined {
  const bins = Object.entries(histogram)
    .map(([bin, count]) => [Number(bin), count] as const)
    .toSorted(([a], [b]) => a - b);
  const wanted = (countOf(histogram) * percent) / 100;
  let seen = 0;
  for (const [bin, count] of bins) {
    seen += count;
    if (seen >= wanted) return topOf(bin);
  }
  return undefined;
}
