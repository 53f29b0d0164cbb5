import { keepsLess, trailCeiling } from '../../../shared/domain/trail.ts';
import { pauseCodec } from '../../../shared/app/records/work-documents.ts';
import { isEnded, type Run } from '../../../shared/domain/run.ts';
import type { Commit } from '../record.ts';
import { STEPPING_AGENT } from '../stepping-agent.ts';
import { runChanges } from './row-changes.ts';
import { sendOf } from './outside.ts';

const waits = (run: Run): boolean => run.status.startsWith('waiting_');

/** A run that waits holds nothing: no claim, no lease, no worker (G10). */
export function waitingHoldsNothing(commit: Commit): string | undefined {
  for (const { path, after } of commit.changes) {
    if (!/^runs\/[^/]+$/.test(path) || after === undefined) continue;
    const { status, claimToken, claimUntil, effect } = after.fields;
    if (typeof status !== 'string' || !status.startsWith('waiting_')) continue;
    if (claimToken !== undefined || claimUntil !== undefined)
      return `${path} is ${status} and claimed`;
    if (effect !== undefined) return `${path} is ${status} while a tool is at work`;
  }
  return undefined;
}

/**
 * Each pause has a number of its own, one more than the last, and its checkpoint is in the same
 * commit (G10, G18).
 */
export function pausesAreCounted(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (before === undefined || after === undefined) continue;
    const paused = waits(after) && !waits(before);
    const { taskId, pauseGeneration: now } = after;
    if (now !== before.pauseGeneration + (paused ? 1 : 0))
      return `${taskId} went from pause ${before.pauseGeneration} to ${now}`;
    const path = `runs/${taskId}/pauses/${String(now).padStart(12, '0')}`;
    const checkpoint = commit.changes.find((change) => change.path === path);
    if (paused && (checkpoint === undefined || checkpoint.before !== undefined))
      return `pause ${now} of ${taskId} came without its checkpoint`;
  }
  return undefined;
}

/** A wait is resolved once, by the commit that lets its run go on (G11). */
export function pausesAreResolvedOnce(commit: Commit): string | undefined {
  for (const { path, before, after } of commit.changes) {
    if (!/\/pauses\/[^/]+$/.test(path) || before === undefined || after === undefined) continue;
    const was = pauseCodec.decode(before.fields, path);
    const is = pauseCodec.decode(after.fields, path);
    if (was.resolvedAt !== null) return `${path} was resolved as ${was.resolution}`;
    const released = runChanges(commit).some(
      (row) =>
        row.before?.status === 'waiting_for_dependency' &&
        row.before.pauseGeneration === was.generation &&
        row.after?.status === 'queued',
    );
    if (is.resolvedAt !== null && !released) return `${path} was resolved and its run stays`;
  }
  return undefined;
}

/**
 * The transcript grows in the commit that counts its steps, by one at a time; a function of steps
 * commits what it asks with what came of it. No step is written again (G11).
 */
export function stepsComeWithTheirRow(commit: Commit): string | undefined {
  const steps = commit.changes.filter(({ path }) => /\/steps\/[^/]+$/.test(path));
  const again = steps.find(({ before }) => before !== undefined);
  if (again !== undefined) return `${again.path} was written again`;
  for (const { before, after } of runChanges(commit)) {
    if (after === undefined) continue;
    const grown = after.steps - (before?.steps ?? 0);
    const most = after.agent === STEPPING_AGENT ? 8 : 1;
    if (grown < 0 || grown > most) return `${after.taskId} went ${grown} steps on`;
    const paths = Array.from({ length: grown }, (_, at) => {
      const number = after.steps - grown + at + 1;
      return `runs/${after.taskId}/steps/${String(number).padStart(12, '0')}`;
    });
    const written = steps.map((step) => step.path);
    if (written.join() !== paths.join())
      return `step ${after.steps} of ${after.taskId} and its row went apart`;
    if (before !== undefined && spentLess(before, after)) return `${after.taskId} got budget back`;
    const released = before?.status === 'waiting_for_dependency' && after.status === 'queued';
    if (released && grown !== 1) return `${after.taskId} goes on without what it waited for`;
  }
  const owners = runChanges(commit).length;
  return steps.length > 0 && owners !== 1 ? 'a step came without its row' : undefined;
}

function spentLess(before: Run, after: Run): boolean {
  const was = before.spent;
  const is = after.spent;
  return (
    is.rounds < was.rounds ||
    is.tokens < was.tokens ||
    is.cost < was.cost ||
    is.delegations < was.delegations ||
    is.bytes < was.bytes
  );
}

/**
 * What a run worked with can be read no more once it has ended, but for what its ceilings let its
 * trail keep, and nothing of it is under way.
 */
export function endedRunsKeepNothing(commit: Commit): string | undefined {
  for (const { after } of runChanges(commit)) {
    if (after === undefined) continue;
    const { taskId, trail } = after;
    if (!isEnded(after)) {
      if (trail !== undefined) return `${taskId} is open and has the trail of one that is over`;
      continue;
    }
    if (trail !== undefined && keepsLess(trailCeiling(after), trail.level))
      return `${taskId} keeps more of its steps than its ceilings let it`;
    if (after.payloadKey !== undefined) return `${after.taskId} ended and keeps its payload's key`;
    if (after.effect !== undefined || after.continuation !== undefined)
      return `${after.taskId} ended and goes on`;
  }
  return undefined;
}

/**
 * The mark of a tool that must not run twice is taken down by its result, or stands when the run
 * ends for good.
 */
export function effectsEndWithAStep(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (before?.effect === undefined || after === undefined) continue;
    if (after.effect === before.effect || after.steps > before.steps) continue;
    const excused =
      after.status === 'cancelled' ||
      (after.status === 'failed' && !['ATTEMPTS_EXHAUSTED', 'AGENT_FAILED'].includes(after.reason));
    if (!excused) return `${after.taskId} is ${after.status} and forgot ${before.effect}`;
  }
  return undefined;
}

/** Resolutions after which no run waits for a remote task that may be at work. */
const LEFT = ['timeout', 'input-required', 'auth-required', 'unusable', 'abandoned'];

/**
 * A remote task that no run waits for any more is to be cancelled, known or not, and that is
 * forgotten only in the commit that begins it (G17); or, of one that had to be looked for, in the
 * commit whose send says that there is none to cancel.
 */
export function leftTasksAreCancelled(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (before === undefined || after === undefined) continue;
    const { taskId } = after;
    const sendId = leftBy(before, after, commit);
    if (sendId !== undefined && !toCancel(after).includes(sendId))
      return `${taskId} leaves the task of ${sendId} to itself`;
    const kept = toCancel(after);
    for (const { operation, sendId } of before.orphans ?? []) {
      if (!kept.includes(sendId) && !begins(commit, taskId, sendId, operation === null))
        return `${taskId} forgot to cancel the task of ${sendId}`;
    }
  }
  return undefined;
}

/** The send whose task no run waits for from this commit on. */
function leftBy(before: Run, after: Run, commit: Commit): string | undefined {
  if (isEnded(after) && before.status !== 'waiting_for_dependency') return before.sending?.sendId;
  if (before.status !== 'waiting_for_dependency') return undefined;
  const left =
    isEnded(after) || (after.status === 'queued' && LEFT.includes(resolutionIn(commit) ?? ''));
  const { sendId } = before.dependency;
  // An operator may give up on what provably never left.
  return left && sendIn(commit, before.taskId, sendId)?.state !== 'not_sent' ? sendId : undefined;
}

const toCancel = ({ orphans = [] }: Run): readonly string[] => orphans.map(({ sendId }) => sendId);

function begins(commit: Commit, taskId: string, sendId: string, lookedFor: boolean): boolean {
  const send = sendIn(commit, taskId, sendId);
  if (send === undefined) return false;
  const none = send.cancelled !== null || send.state === 'refused' || send.state === 'not_sent';
  return send.cancelledAt !== null || (lookedFor && none);
}

function sendIn(commit: Commit, taskId: string, sendId: string) {
  const path = `runs/${taskId}/sends/${sendId}`;
  const row = commit.changes.find((change) => change.path === path)?.after;
  return row && sendOf(row);
}

function resolutionIn(commit: Commit): string | undefined {
  for (const { path, after } of commit.changes) {
    if (!/\/pauses\/[^/]+$/.test(path) || after === undefined) continue;
    const { resolution } = pauseCodec.decode(after.fields, path);
    if (resolution !== null) return resolution;
  }
  return undefined;
}
