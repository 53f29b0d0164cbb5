import { withoutWords } from './agent-error.ts';
import { backoff } from './backoff.ts';
import type { Blocked } from './blocked.ts';
import type { Millis } from './brand.ts';
import { type Spending, spentBy } from './budget.ts';
import {
  keepsFiles,
  keepsResult,
  strictest,
  strictestArchive,
  type Tightening,
} from './ceiling.ts';
import { withOrphan } from './dependency.ts';
import { fence, revision } from './ids.ts';
import type { FailureReason } from './failure-reason.ts';
import { frameOf } from './frame-of.ts';
import {
  type Claim,
  type ClaimToken,
  type Ended,
  type Failed,
  hasClaim,
  isBlocked,
  isEnded,
  type Purging,
  type Queued,
  type Run,
  type RunFrame,
  type Running,
  stateOf,
  unblocked,
  waitsForPerson,
  without,
} from './run.ts';
import { segmentBegan, segmentEnded } from './segment-times.ts';
import type { Settings } from './settings.ts';

/**
 * Transitions are pure: a row and the facts in, the next row out, or `undefined` when the guard
 * says no. A change that a caller may see raises the revision; bookkeeping does not
 * (docs/architecture.md#statuses-and-transitions).
 */
export function publish<R extends Run>(run: Run, next: R, now: Millis): R {
  return { ...next, revision: revision(run.revision + 1), statusAt: Math.max(now, run.statusAt) };
}

/** Time never runs backwards for one task, whatever the machines' clocks say. */
export function timeOf(run: RunFrame, now: Millis): Millis {
  return Math.max(now, run.statusAt);
}

/** When the wake-up behind a segment was due, and when it came. */
export interface Delivery {
  readonly due: Millis;
  readonly dispatched: Millis;
}

/** queued -> running. The fence rises, so an earlier holder of the run can write nothing more. */
export function claim(
  run: Run,
  granted: Claim,
  delivery: Delivery,
  now: Millis,
): Running | undefined {
  if (run.status !== 'queued' || run.notBefore > now) return undefined;
  const deadlineAt = deadlineOf(run, now);
  if (deadlineAt <= now) return undefined;
  const next = claimed({ ...run, deadlineAt }, granted, delivery, now);
  // Only SUBMITTED -> WORKING is news to a caller; a run that is queued again is WORKING already.
  return stateOf(run) === 'SUBMITTED' ? publish(run, next, now) : next;
}

/**
 * A run that the process which accepts it claims at once. Its first revision says both SUBMITTED
 * and WORKING (`announcedBy`), so none is added.
 */
export function claimedAtOnce(first: Queued, granted: Claim, now: Millis): Running {
  return claimed(first, granted, { due: now, dispatched: now }, now);
}

/**
 * The states that a revision which announces its state makes public, oldest first. A first revision
 * that is WORKING was committed with the claim of its run.
 */
export function announcedBy({
  revision,
  state,
}: {
  readonly revision: number;
  readonly state: string;
}): readonly string[] {
  return revision === 1 && state === 'WORKING' ? ['SUBMITTED', state] : [state];
}

/** The row in the hands of a worker, whichever transition led there. */
export function claimed(run: Run, granted: Claim, delivery: Delivery, now: Millis): Running {
  const risen = fence(run.fence + 1);
  const { due: enqueued, dispatched } = delivery;
  const times = { fence: risen, enqueued, dispatched, claimed: now };
  return {
    ...frameOf(run),
    status: 'running',
    claim: granted,
    fence: risen,
    segments: segmentBegan(run.segments, times),
  };
}

/** The frame of a row that leaves its worker's hands. */
export function released(run: Run, now: Millis): RunFrame {
  return { ...unblocked(frameOf(run)), segments: segmentEnded(run.segments, now) };
}

/**
 * The frame of a row that ends: its work can't be read any more, and the remote task that it waited
 * for is to be cancelled.
 */
function over(run: Run, now: Millis): RunFrame {
  const work = ['payloadKey', 'effect', 'continuation', 'sending', 'pins', 'blocked'] as const;
  const frame = without(released(run, now), ...work);
  if (run.status === 'waiting_for_dependency')
    return { ...frame, ...withOrphan(run, run.dependency, now) };
  const { sending } = run;
  return sending === undefined
    ? frame
    : { ...frame, ...withOrphan(run, { ...sending, operation: null }, now) };
}

/** running -> running: the lease is renewed. Bookkeeping only. */
export function renew(run: Run, token: ClaimToken, until: Millis): Running | undefined {
  return hasClaim(run, token) ? { ...run, claim: { token, until } } : undefined;
}

/**
 * running -> running with something to show. Attempts stay: an agent that shows progress and then
 * kills its worker must end.
 */
export function progress(
  run: Run,
  token: ClaimToken,
  until: Millis,
  now: Millis,
): Running | undefined {
  if (!hasClaim(run, token)) return undefined;
  return publish(run, { ...run, claim: { token, until } }, now);
}

/** running -> completed. */
export function complete(
  run: Run,
  token: ClaimToken,
  now: Millis,
  spend: Spending = {},
): Ended | undefined {
  if (!hasClaim(run, token)) return undefined;
  return publish(run, { ...over(run, now), ...spentBy(run, spend, now), status: 'completed' }, now);
}

/** running -> rejected: the agent declines the task. */
export function reject(run: Run, token: ClaimToken, now: Millis): Ended | undefined {
  return hasClaim(run, token)
    ? publish(run, { ...over(run, now), status: 'rejected' }, now)
    : undefined;
}

/** Not ended, not being removed, and of a status that this version knows. */
export function isActive(run: Run): boolean {
  return !isEnded(run) && run.status !== 'purging' && run.status !== 'unknown';
}

/** any active status -> cancelled. */
export function cancel(run: Run, now: Millis): Ended | undefined {
  if (!isActive(run)) return undefined;
  return publish(run, { ...over(run, now), status: 'cancelled' }, now);
}

/**
 * any active status -> failed; the caller says why it may (its claim, the deadline, a lapsed
 * lease).
 */
export function fail(run: Run, reason: FailureReason, now: Millis): Failed | undefined {
  if (!isActive(run)) return undefined;
  return publish(run, { ...over(run, now), status: 'failed', reason }, now);
}

/**
 * running -> queued after a fault that may pass, or a lapsed lease; `undefined` when the attempts
 * are used up, or when a tool that must not run twice may have run. Bookkeeping: the task was
 * WORKING and stays so.
 */
export function requeue(
  run: Running,
  settings: Settings,
  now: Millis,
  delay?: Millis,
): Queued | undefined {
  if (run.attempts >= settings.requeues || run.effect !== undefined) return undefined;
  const pauses = { first: settings.backoff, most: settings.backoffMax };
  return {
    ...released(run, now),
    status: 'queued',
    attempts: run.attempts + 1,
    notBefore: now + (delay ?? backoff(pauses, run.attempts + 1)),
  };
}

/** Why a run that can't be put back into the queue has failed. */
export function exhaustedReason(run: Run): FailureReason {
  return run.effect === undefined ? 'ATTEMPTS_EXHAUSTED' : 'EFFECT_UNKNOWN';
}

/**
 * running -> queued, by a worker that is about to go: due at once, and no attempt is counted.
 * `repeats`: it leaves its segment in the middle, so that part of it will be done again.
 */
export function handBack(
  run: Run,
  token: ClaimToken,
  now: Millis,
  repeats: boolean,
): Queued | undefined {
  // A tool that must not run twice may be at work: the lease lapses, and the sweeper ends the run.
  if (!hasClaim(run, token) || run.effect !== undefined) return undefined;
  const frame = repeats ? repeated(run, now) : released(run, now);
  return { ...frame, status: 'queued', notBefore: now };
}

/** The frame of a row whose segment begins again, though no attempt is counted. */
function repeated(run: Running, now: Millis): RunFrame {
  return { ...released(run, now), repeats: (run.repeats ?? 0) + 1 };
}

/**
 * running -> queued, because one of our own services refuses what any run would ask for: that says
 * nothing about this one, so no attempt is counted. The longer it has lasted, the later it is tried
 * again.
 */
export function putOff(
  run: Run,
  token: ClaimToken,
  settings: Settings,
  now: Millis,
): Queued | undefined {
  if (!hasClaim(run, token) || run.effect !== undefined) return undefined;
  const lasted = (now - run.statusAt) / 4;
  const pause = Math.min(Math.max(settings.backoff, lasted), settings.backoffMax);
  return { ...repeated(run, now), status: 'queued', notBefore: now + pause };
}

/**
 * running -> queued, between two steps, because the remote agent that it would send to is left
 * alone until then. No attempt is counted, and no worker waits.
 */
export function waitForCircuit(
  run: Run,
  token: ClaimToken,
  { circuit, until }: { readonly circuit: string; readonly until: Millis },
  now: Millis,
): Queued | undefined {
  if (!hasClaim(run, token) || run.effect !== undefined) return undefined;
  return { ...released(run, now), status: 'queued', notBefore: Math.max(until, now), circuit };
}

/**
 * running -> queued, because what it would go on with is not what it was: it looks again later, and
 * later the longer it lasts. No attempt is counted, and the wait does not count against the
 * deadline.
 */
export function block(
  run: Run,
  token: ClaimToken,
  blocked: Blocked,
  settings: Settings,
  now: Millis,
): Queued | undefined {
  if (!hasClaim(run, token) || run.effect !== undefined) return undefined;
  const pause = blockedFor(blocked, settings, now);
  const deadlineAt = run.deadlineAt + pause;
  return { ...released(run, now), status: 'queued', notBefore: now + pause, deadlineAt, blocked };
}

/** The deadline of a run that was blocked comes no nearer, however late it looks again. */
function deadlineOf(run: Queued, now: Millis): Millis {
  const stands = isBlocked(run) || run.asleep === true;
  return stands ? run.deadlineAt + Math.max(0, now - run.notBefore) : run.deadlineAt;
}

/** How long until it looks again. */
export function blockedFor({ since }: Blocked, settings: Settings, now: Millis): Millis {
  const longer = Math.ceil((now - since) / 4);
  return Math.min(Math.max(settings.backoff, longer), settings.backoffMax);
}

/** A lease that lapsed protects no worker any more: the sweeper may take the run. */
export function lapsed(run: Run, now: Millis): run is Running {
  return run.status === 'running' && run.claim.until <= now;
}

/** The run's working time is over; one that waits for a person, or is blocked, is never late. */
export function late(run: Run, now: Millis): boolean {
  const counts =
    run.status === 'queued' || run.status === 'running' || run.status === 'waiting_for_dependency';
  const stands = isBlocked(run) || (run.status === 'queued' && run.asleep === true);
  return counts && run.deadlineAt <= now && !stands;
}

/** The projector has caught up to `projected`. Bookkeeping. */
export function projected<R extends Run>(run: R, upTo: number): R {
  return upTo > run.projectedRevision
    ? { ...run, projectedRevision: revision(Math.min(upTo, run.revision)) }
    : run;
}

/** What a tighter answer ceiling does to what is stored already. */
export type Consequence =
  /** Nothing to do: what is stored may stay. */
  | 'none'
  /** It stays redacted. */
  | 'redact'
  /** An active run that can't keep its result ends FAILED, and what it holds is destroyed (G7). */
  | 'fail'
  /**
   * An ended run whose result may not be kept is removed: a missing task, never a COMPLETED one
   * without its result (G1).
   */
  | 'purge';

/**
 * The row under tighter ceilings, and what follows; `undefined` when nothing gets tighter: a
 * ceiling is never loosened.
 */
export function tighten<R extends Run>(
  run: R,
  wanted: Tightening,
): { readonly next: R; readonly consequence: Consequence } | undefined {
  // Only the version that wrote it knows what it holds and how to destroy that.
  if (run.status === 'unknown') return undefined;
  const answerCeiling = strictest(run.answerCeiling, wanted.answer ?? 'full');
  const auditCeiling = strictest(run.auditCeiling, wanted.audit ?? 'full');
  const archive = strictestArchive(run.archive, wanted.archive ?? 'standard');
  const same = answerCeiling === run.answerCeiling && auditCeiling === run.auditCeiling;
  if (same && archive === run.archive) return undefined;
  // What is sealed can't be redacted where it lies.
  const bare = withoutWords({ ...run, answerCeiling, auditCeiling, archive });
  const files = run.files !== undefined && keepsFiles(run) && !keepsFiles(bare);
  // Files can't be redacted: an active run can't go on with them, and those of one that has ended
  // are destroyed.
  if (files && isActive(run)) return { next: bare, consequence: 'fail' };
  const next = files ? { ...bare, scrubPending: true } : bare;
  if (answerCeiling === run.answerCeiling) return { next, consequence: 'none' };
  if (keepsResult(answerCeiling)) return { next, consequence: 'redact' };
  return { next, consequence: isEnded(run) ? 'purge' : 'fail' };
}

/**
 * The row with a new key: what was sealed with the old one, every revision so far, can't be read
 * any more.
 */
export function rekeyed<R extends Run>(next: R, before: Run, wrappedKey: Uint8Array): R {
  // These were sealed with the old key: a caller that can reseal them puts them back in.
  const rest = withoutWords(without(next, 'payloadKey', 'trail', 'orphans') as R);
  return { ...rest, wrappedKey, scrubbedRevision: before.revision, scrubPending: true };
}

/**
 * ended or waiting for a person -> purging. The key goes first; a run in use is never touched (G9).
 */
export function purge(run: Run, now: Millis): Purging | undefined {
  return isEnded(run) || waitsForPerson(run) ? destroy(run, now) : undefined;
}

/**
 * Any -> purging, by the word of an operator alone: for what can't be opened any more, and so can
 * neither go on nor end.
 */
export function destroy(run: Run, now: Millis): Purging {
  return {
    ...without(frameOf(run), 'payloadKey', 'trail', 'orphans', 'acts', 'errors'),
    status: 'purging',
    wrappedKey: new Uint8Array(),
    statusAt: timeOf(run, now),
    purgeAt: null,
  };
}
