import type { Millis } from '../../domain/brand.ts';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import type { SegmentOutcome } from '../segment/end-segment.ts';

/** How long a segment waited for its worker, and how long that had it. */
export function measured(
  { metrics }: App,
  { agent }: Run,
  {
    status,
    took,
    waited,
  }: Readonly<Record<'took' | 'waited', Millis>> & {
    readonly status: string;
  },
): void {
  metrics?.measure('holdfast.queue.wait', Math.max(0, waited) / 1_000, { agent });
  metrics?.measure('holdfast.segment.duration', took / 1_000, { agent, status });
}

/** Why a segment counts as failed: its run did, is to be tried again, or is in no hands. */
export function faultOf(before: Run, outcome: SegmentOutcome | undefined): string | undefined {
  const run = outcome?.run;
  if (run === undefined) return 'UNSETTLED';
  if (run.status === 'failed') return run.reason;
  return run.status === 'queued' && run.attempts > before.attempts ? 'TRIED_AGAIN' : undefined;
}
