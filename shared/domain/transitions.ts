import type { Millis } from './brand.ts';
import { keepsResult, strictest, type Tightening } from './ceiling.ts';
import { fence, revision } from './ids.ts';
import {
  type Claim,
  type ClaimToken,
  type Ended,
  type Failed,
  type FailureReason,
  frameOf,
  holds,
  isEnded,
  type Purging,
  type Queued,
  type Run,
  type RunFrame,
  type Running,
  stateOf,
  type WaitingForPerson,
} from './run.ts';
import type { Settings } from './settings.ts';

/**
 * Transitions are pure: a row and the facts in, the next row out, or `undefined` when the guard says no. A change that a
 * remote party may see raises the revision; bookkeeping does not (architecture section 4).
 */
export function publish<R extends Run>(run: Run, next: R, now: Millis): R {
  return { ...next, revision: revision(run.revision + 1), statusAt: Math.max(now, run.statusAt) };
}

/** Time never runs backwards for one task, whatever the machines' clocks say. */
export function timeOf(run: RunFrame, now: Millis): Millis {
  return Math.max(now, run.statusAt);
}

/** queued -> running. The fence rises, so whoever held the run before can write nothing more. */
export function claim(run: Run, granted: Claim, now: Millis): Running | undefined {
  if (run.status !== 'queued' || run.notBefore > now || run.deadlineAt <= now) return undefined;
  const next: Running = {
    ...frameOf(run),
    status: 'running',
    claim: granted,
    fence: fence(run.fence + 1),
  };
  // Only SUBMITTED -> WORKING is news to a remote party; a run that is queued again is WORKING already.
  return stateOf(run) === 'SUBMITTED' ? publish(run, next, now) : next;
}

/** running -> running: the lease is renewed. Bookkeeping only. */
export function renew(run: Run, token: ClaimToken, until: Millis): Running | undefined {
  return holds(run, token) ? { ...run, claim: { token, until } } : undefined;
}

/** running -> running with something to show. Attempts stay: an agent that shows progress and then kills its worker must end. */
export function progress(
  run: Run,
  token: ClaimToken,
  until: Millis,
  now: Millis,
): Running | undefined {
  if (!holds(run, token)) return undefined;
  return publish(run, { ...run, claim: { token, until } }, now);
}

/** running -> completed. */
export function complete(run: Run, token: ClaimToken, now: Millis): Ended | undefined {
  return holds(run, token)
    ? publish(run, { ...frameOf(run), status: 'completed' }, now)
    : undefined;
}

/** running -> rejected: the agent declines the task. */
export function reject(run: Run, token: ClaimToken, now: Millis): Ended | undefined {
  return holds(run, token) ? publish(run, { ...frameOf(run), status: 'rejected' }, now) : undefined;
}

/** running -> waiting_for_input: the lease is cleared, nothing is held (G10). */
export function ask(
  run: Run,
  token: ClaimToken,
  expectsData: boolean,
  now: Millis,
): WaitingForPerson | undefined {
  if (!holds(run, token)) return undefined;
  const at = timeOf(run, now);
  const pauseGeneration = run.pauseGeneration + 1;
  return publish(
    run,
    {
      ...frameOf(run),
      status: 'waiting_for_input',
      pausedAt: at,
      attempts: 0,
      expectsData,
      pauseGeneration,
    },
    now,
  );
}

/** waiting_for_input/approval -> queued, by the message that answers. The wait does not count against the deadline. */
export function answer(run: Run, now: Millis): Queued | undefined {
  if (run.status !== 'waiting_for_input' && run.status !== 'waiting_for_approval') return undefined;
  const at = timeOf(run, now);
  const next: Queued = {
    ...frameOf(run),
    status: 'queued',
    notBefore: at,
    deadlineAt: run.deadlineAt + (at - run.pausedAt),
    inputRevision: revision(run.revision + 1),
  };
  return publish(run, next, now);
}

/** Not ended, not being removed, and of a status that this version knows. */
export function isOpen(run: Run): boolean {
  return !isEnded(run) && run.status !== 'purging' && run.status !== 'unknown';
}

/** any open status -> cancelled. */
export function cancel(run: Run, now: Millis): Ended | undefined {
  if (!isOpen(run)) return undefined;
  return publish(run, { ...frameOf(run), status: 'cancelled' }, now);
}

/** any open status -> failed; the caller says why it may (its claim, the deadline, a lapsed lease). */
export function fail(run: Run, reason: FailureReason, now: Millis): Failed | undefined {
  if (!isOpen(run)) return undefined;
  return publish(run, { ...frameOf(run), status: 'failed', reason }, now);
}

/**
 * running -> queued after a fault that may pass, or a lapsed lease; `undefined` when the attempts are used up. Bookkeeping:
 * the task was WORKING and stays so.
 */
export function requeue(
  run: Running,
  settings: Settings,
  now: Millis,
  delay?: Millis,
): Queued | undefined {
  if (run.attempts >= settings.requeues) return undefined;
  const backoff = Math.min(settings.backoff * 2 ** run.attempts, settings.backoffMax);
  return {
    ...frameOf(run),
    status: 'queued',
    attempts: run.attempts + 1,
    notBefore: now + (delay ?? backoff),
  };
}

/** running -> queued, by a worker that is about to go: due at once, and no attempt is counted. */
export function handBack(run: Run, token: ClaimToken, now: Millis): Queued | undefined {
  return holds(run, token) ? { ...frameOf(run), status: 'queued', notBefore: now } : undefined;
}

/** A lease that lapsed belongs to nobody: the reaper may take the run. */
export function lapsed(run: Run, now: Millis): run is Running {
  return run.status === 'running' && run.claim.until <= now;
}

/** The run's working time is over; a run that waits for a person is never late. */
export function late(run: Run, now: Millis): boolean {
  const counts =
    run.status === 'queued' || run.status === 'running' || run.status === 'waiting_for_dependency';
  return counts && run.deadlineAt <= now;
}

/** The projector has caught up to `projected`. Bookkeeping. */
export function projected<R extends Run>(run: R, upTo: number): R {
  return upTo > run.projectedRevision
    ? { ...run, projectedRevision: revision(Math.min(upTo, run.revision)) }
    : run;
}

/** What a tighter answer ceiling means for what is stored already. */
export type Consequence =
  /** Nothing to do: what is stored may stay. */
  | 'none'
  /** It stays redacted. */
  | 'redact'
  /** An open run that can't keep its result ends FAILED, and what it holds is destroyed (G7). */
  | 'fail'
  /** An ended run whose result may not be kept is removed: a missing task, never a COMPLETED one without its result (G1). */
  | 'purge';

/** The row under tighter ceilings, and what follows; `undefined` when nothing gets tighter: a ceiling is never loosened. */
export function tighten<R extends Run>(
  run: R,
  wanted: Tightening,
): { readonly next: R; readonly consequence: Consequence } | undefined {
  const answerCeiling = strictest(run.answerCeiling, wanted.answer ?? 'full');
  const auditCeiling = strictest(run.auditCeiling, wanted.audit ?? 'full');
  if (answerCeiling === run.answerCeiling && auditCeiling === run.auditCeiling) return undefined;
  const next = { ...run, answerCeiling, auditCeiling };
  if (answerCeiling === run.answerCeiling) return { next, consequence: 'none' };
  if (keepsResult(answerCeiling)) return { next, consequence: 'redact' };
  return { next, consequence: isEnded(run) ? 'purge' : 'fail' };
}

/** The row with a new key: what was sealed with the old one, every revision so far, can't be read any more. */
export function rekeyed<R extends Run>(next: R, before: Run, wrappedKey: Uint8Array): R {
  return { ...next, wrappedKey, scrubbedRevision: before.revision, scrubPending: true };
}

/** ended or waiting for a person -> purging. The key goes first; a run in use is never touched (G9). */
export function purge(run: Run, now: Millis): Purging | undefined {
  const rests =
    isEnded(run) || run.status === 'waiting_for_input' || run.status === 'waiting_for_approval';
  if (!rests) return undefined;
  return {
    ...frameOf(run),
    status: 'purging',
    wrappedKey: new Uint8Array(),
    statusAt: timeOf(run, now),
    purgeAt: null,
  };
}
