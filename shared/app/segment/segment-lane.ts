import type { App } from '../app.ts';
import type { Claimed } from './claim-run.ts';

/**
 * Where accepting and working are one process: the segments that it runs at once. Absent where they
 * are functions of their own.
 */
export interface SegmentLane {
  /** A place for a first segment. Undefined: all are taken, or others wait for one. */
  reserve(): ReservedSegment | undefined;
}

export interface ReservedSegment {
  /** Runs the segment, and frees the place when it is over. */
  begin(app: App, claimed: Claimed): void;
  /** Nothing came of it. */
  release(): void;
}

/** What came of accepting a message. */
export interface Taken<T> {
  readonly answer: T;
  /** The run, if it was claimed by the commit that accepted it. */
  readonly claimed?: Claimed;
}

/**
 * Accepts with a place reserved, so that a run which is claimed has a worker. `take` is told
 * whether it may claim.
 */
export async function withSegment<T>(
  app: App,
  lane: SegmentLane | undefined,
  take: (claims: boolean) => Promise<Taken<T>>,
): Promise<T> {
  const segment = lane?.reserve();
  if (segment === undefined) return (await take(false)).answer;
  try {
    const { answer, claimed } = await take(true);
    if (claimed === undefined) segment.release();
    else segment.begin(app, claimed);
    return answer;
  } catch (error) {
    segment.release();
    throw error;
  }
}
