import type { Millis } from './brand.ts';
import type { Fence } from './ids.ts';

/** Four times of a segment, to show an operator where the time went. */
export interface SegmentTimes {
  readonly fence: Fence;
  /** When it was due in the queue. */
  readonly enqueued: Millis;
  /** When the queue delivered it. */
  readonly dispatched: Millis;
  readonly claimed: Millis;
  /**
   * When it left the run to the next segment; absent while it works, and if its worker was lost.
   */
  readonly committed?: Millis;
}

/** A row keeps this many. */
const KEPT = 20;

export function segmentBegan(
  segments: readonly SegmentTimes[],
  times: SegmentTimes,
): readonly SegmentTimes[] {
  return [...segments, times].slice(-KEPT);
}

/** The newest segment has ended. */
export function segmentEnded(
  segments: readonly SegmentTimes[],
  now: Millis,
): readonly SegmentTimes[] {
  const last = segments.at(-1);
  if (last === undefined || last.committed !== undefined) return segments;
  return [...segments.slice(0, -1), { ...last, committed: now }];
}
