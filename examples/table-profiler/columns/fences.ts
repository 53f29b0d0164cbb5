/** Fewer values have no shape that one could lie outside of. */
const LEAST_VALUES = 20;
/** Tukey's outer fences: at 1.5 every skewed column would have values beyond. */
const FENCE = 3;

export type Fences = { readonly low: number; readonly high: number };

/** Three interquartile ranges to either side of the middle half; undefined where that says nothing. */
export function fencesOf(count: number, p25: number, p75: number): Fences | undefined {
  const spread = p75 - p25;
  if (count < LEAST_VALUES || spread === 0) return undefined;
  return { low: p25 - FENCE * spread, high: p75 + FENCE * spread };
}
