import type { Millis } from './brand.ts';
import { type ClaimToken, hasClaim, type Queued, type Run } from './run.ts';
import type { Awaited } from './signal.ts';
import { isActive, released, timeOf } from './transitions.ts';

/**
 * running -> queued, until that time: the run sleeps, and nothing is held meanwhile (G10). That
 * does not count against its deadline, and is no attempt. Of the events that it waits for one may
 * have come since it looked: then it looks again at once.
 */
export function sleepUntil(
  run: Run,
  token: ClaimToken,
  { awaited, until }: { readonly until: Millis; readonly awaited?: Awaited | undefined },
  now: Millis,
): Queued | undefined {
  if (!hasClaim(run, token) || run.effect !== undefined) return undefined;
  const came = awaited !== undefined && (run.signals ?? 0) > awaited.seen;
  const notBefore = came ? now : until;
  const deadlineAt = run.deadlineAt + Math.max(0, notBefore - now);
  const awaits = awaited === undefined || came ? {} : { awaits: awaited.names };
  return {
    ...released(run, now),
    status: 'queued',
    asleep: true,
    notBefore,
    deadlineAt,
    ...awaits,
  };
}

/**
 * any active status -> itself: one more is there. A run that sleeps until this one comes is due
 * now; the time that it did not sleep is no longer added to its deadline.
 */
export function signalled(run: Run, name: string, now: Millis): Run | undefined {
  if (!isActive(run)) return undefined;
  const next = { ...run, signals: (run.signals ?? 0) + 1 };
  if (next.status !== 'queued' || next.awaits?.includes(name) !== true) return next;
  const early = Math.max(0, next.notBefore - timeOf(run, now));
  return { ...next, notBefore: next.notBefore - early, deadlineAt: next.deadlineAt - early };
}
