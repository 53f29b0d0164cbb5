import type { Millis } from './brand.ts';
import { fence, revision } from './ids.ts';
import {
  type Claim,
  type ClaimToken,
  type Ended,
  type Failed,
  type FailureReason,
  holds,
  isEnded,
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

function frame(run: Run): RunFrame {
  const {
    taskId,
    contextId,
    agent,
    tenant,
    owner,
    scope,
    projectedRevision,
    attempts,
    pauseGeneration,
    inputRevision,
    createdAt,
    statusAt,
    deadlineAt,
    answerCeiling,
    auditCeiling,
    wrappedKey,
    commitId,
  } = run;
  return {
    taskId,
    contextId,
    agent,
    tenant,
    owner,
    scope,
    projectedRevision,
    attempts,
    pauseGeneration,
    inputRevision,
    createdAt,
    statusAt,
    deadlineAt,
    answerCeiling,
    auditCeiling,
    wrappedKey,
    commitId,
    revision: run.revision,
    fence: run.fence,
  };
}

/** queued -> running. The fence rises, so whoever held the run before can write nothing more. */
export function claim(run: Run, granted: Claim, now: Millis): Running | undefined {
  if (run.status !== 'queued' || run.notBefore > now || run.deadlineAt <= now) return undefined;
  const next: Running = {
    ...frame(run),
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
  return holds(run, token) ? publish(run, { ...frame(run), status: 'completed' }, now) : undefined;
}

/** running -> rejected: the agent declines the task. */
export function reject(run: Run, token: ClaimToken, now: Millis): Ended | undefined {
  return holds(run, token) ? publish(run, { ...frame(run), status: 'rejected' }, now) : undefined;
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
      ...frame(run),
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
    ...frame(run),
    status: 'queued',
    notBefore: at,
    deadlineAt: run.deadlineAt + (at - run.pausedAt),
    inputRevision: revision(run.revision + 1),
  };
  return publish(run, next, now);
}

/** any open status -> cancelled. */
export function cancel(run: Run, now: Millis): Ended | undefined {
  if (isEnded(run) || run.status === 'unknown') return undefined;
  return publish(run, { ...frame(run), status: 'cancelled' }, now);
}

/** any open status -> failed; the caller says why it may (its claim, the deadline, a lapsed lease). */
export function fail(run: Run, reason: FailureReason, now: Millis): Failed | undefined {
  if (isEnded(run) || run.status === 'unknown') return undefined;
  return publish(run, { ...frame(run), status: 'failed', reason }, now);
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
    ...frame(run),
    status: 'queued',
    attempts: run.attempts + 1,
    notBefore: now + (delay ?? backoff),
  };
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
