import { isPassing } from '../../ports/faults.ts';
import type { Ending, SegmentPorts } from '../agents.ts';
import type { App } from '../app.ts';
import { errorFacts } from '../error-facts.ts';
import { SegmentOver } from '../segments.ts';

/** An author's work under way. */
export interface Owned<T> {
  readonly working: Promise<T>;
  /** Resolves with how the segment ends because of an error that the work left behind. */
  readonly strayed: Promise<Ending>;
  /** Aborted then: the work itself may still go on. */
  readonly left: AbortSignal;
}

/**
 * Does an author's work so that an error which nothing catches, in a promise that nothing waits
 * for, a timer or an event, is this run's failure and no other's. One that comes when the segment
 * is over is only told to the author. Work in another process gives such errors to `stray`.
 */
export function ownStrays<T>(
  { strays }: App,
  segment: Pick<SegmentPorts, 'report' | 'signal'>,
  work: (stray: (error: unknown) => void) => Promise<T>,
): Owned<T> {
  const { promise: strayed, resolve } = Promise.withResolvers<Ending>();
  const left = new AbortController();
  const owner = (error: unknown): void => {
    if (isEcho(error, segment.signal)) return;
    segment.report({ where: 'stray', error });
    left.abort(error);
    resolve(isPassing(error) ? { kind: 'retry', error } : { kind: 'failed', parts: [], error });
  };
  const working = strays === undefined ? work(owner) : strays.within(owner, () => work(owner));
  return { working, strayed, left: left.signal };
}

/**
 * What an agent that was told to stop throws or leaves behind, because it did: nothing that its
 * author had to be told.
 */
export function isEcho(error: unknown, { aborted, reason }: AbortSignal): boolean {
  if (error instanceof SegmentOver) return true;
  if (!aborted) return false;
  return error === reason || ['AbortError', 'TimeoutError'].includes(errorFacts(error).fault);
}
