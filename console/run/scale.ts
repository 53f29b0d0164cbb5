/** A stretch of time between two moments of a run, and where it is drawn, from 0 to 1. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly width: number;
}

export interface Scale {
  /** Where an instant is drawn, from 0 to 1. */
  readonly place: (at: number) => number;
  readonly stretches: readonly Stretch[];
}

/** A stretch of this many milliseconds is drawn in full; longer ones grow ever more slowly. */
const FULL = 20;

/**
 * An axis on which milliseconds of work and days of waiting are both seen: each stretch between two
 * moments is as wide as the logarithm of its time.
 */
export function scaleOf(moments: readonly number[]): Scale {
  const times = [...new Set(moments)].toSorted((a, b) => a - b);
  const widths = times.slice(1).map((to, at) => Math.log1p((to - (times[at] ?? to)) / FULL));
  const total = widths.reduce((sum, each) => sum + each, 0);
  const stretches: Stretch[] = [];
  let left = 0;
  for (const [at, width] of widths.entries()) {
    const share = total === 0 ? 0 : width / total;
    stretches.push({ from: times[at] ?? 0, to: times[at + 1] ?? 0, left, width: share });
    left += share;
  }
  return { stretches, place: (at) => placeIn(stretches, at) };
}

function placeIn(stretches: readonly Stretch[], at: number): number {
  const [first] = stretches;
  if (first === undefined || at <= first.from) return 0;
  const within = stretches.find(({ to }) => at <= to);
  if (within === undefined) return 1;
  const { from, left, to, width } = within;
  return Math.min(1, left + width * ((at - from) / (to - from)));
}
