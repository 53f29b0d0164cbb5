import { blockOf, type Change, changedStep, type Pin } from '../../domain/blocked.ts';
import type { Millis } from '../../domain/brand.ts';
import { type Item, wholeArtifact } from '../../domain/item.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { FailureReason } from '../../domain/failure-reason.ts';
import { hasClaim, type Run, tryOf } from '../../domain/run.ts';
import { sleepUntil } from '../../domain/sleeping.ts';
import {
  block,
  cancel,
  complete,
  fail,
  handBack,
  putOff,
  reject,
  requeue,
  exhaustedReason,
  waitForCircuit,
} from '../../domain/transitions.ts';
import { isFault, isRefusal } from '../../ports/faults.ts';
import { type Ending, pinsOf, type PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import type { Outcome, RunChange } from '../change/run-change.ts';
import type { Publication } from '../content/publication.ts';
import { afterEnd, agentMessage, failure } from '../change/end-run.ts';
import type { Lease } from './lease.ts';
import { pauseRun } from './pause-run.ts';
import type { SegmentFiles } from './segment-files.ts';
import { projectRun } from '../change/project-run.ts';
import { logBlocked } from './log-blocked.ts';
import { noteFault } from './note-fault.ts';
import { errorFacts } from '../error-facts.ts';
import { faultName, projectSoon, wakeUp } from '../wake-up.ts';

/** Runs that wait for one remote do not all come back at one moment. */
const SPREAD: Millis = 2_000;

/** The row as the segment left it, or as others did. */
export type SegmentOutcome = Outcome;

/** An ending that the agent does not get to word. */
export type ForcedEnding =
  | { readonly kind: 'ended'; readonly reason: FailureReason }
  /** Not now: one of our own services takes nothing from us. */
  | { readonly kind: 'refused' }
  /** What it waited for is gone or changed. */
  | { readonly kind: 'blocked'; readonly changes: readonly Change[] };

/**
 * Commits how a segment ended, with what it had gathered (docs/architecture.md#completion): result
 * and state are one transaction (G1). A passing fault repeats that same transaction while the lease
 * holds, and then costs an attempt; when the result can't be stored, a second, content-free
 * transaction ends the run FAILED.
 */
export async function endSegment(
  app: App,
  lease: Lease,
  rest: readonly Item[],
  ending: Ending | ForcedEnding,
  files?: SegmentFiles,
): Promise<SegmentOutcome> {
  switch (ending.kind) {
    case 'ended':
      return failHere(app, lease, ending.reason);
    case 'exceeded':
      return failHere(app, lease, `${ending.limit}_EXCEEDED`);
    case 'refused':
      return putOffRun(app, lease);
    case 'blocked':
      return blockRun(app, lease, ending.changes);
    case 'suspended':
      return leaveSuspended(app, lease.run);
    case 'resting':
      return restRun(app, lease, ending);
    case 'yielded':
      return yieldRun(app, lease, false);
    case 'interrupted':
      return yieldRun(app, lease, true);
    case 'slept':
      return queued(app, lease, (run, now) => sleepUntil(run, lease.claimed.token, ending, now));
    case 'misfit':
      return blockRun(app, lease, [changedStep(ending.misfit)]);
    case 'retry':
      return putBack(app, lease, ending);
    case 'failed':
    case 'completed':
    case 'rejected':
    case 'cancelled':
    case 'asked':
    case 'paused':
      return commitWords(app, lease, rest, ending, files);
  }
}

/** Endings in the agent's own words: what can't be stored is said so. */
async function commitWords(
  app: App,
  lease: Lease,
  rest: readonly Item[],
  ending: Worded | Question,
  files: SegmentFiles | undefined,
): Promise<SegmentOutcome> {
  try {
    if (ending.kind === 'asked' || ending.kind === 'paused')
      return await pauseRun(app, lease, rest, requestOf(ending), {
        frame: ending.kind === 'asked' ? ending.frame : undefined,
        pins: pinsFor(app, lease, ending),
        ...(files && { files }),
      });
    const change: RunChange & { readonly publish: Publication } = {
      publish: publicationOf(app, rest, ending),
      decide: (run, now) => transition(run, lease, ending, now),
      ...(ending.kind === 'completed' && ending.last && { last: ending.last }),
    };
    const outcome =
      files === undefined || ending.kind !== 'completed'
        ? await lease.commit(change)
        : await files.commit('arrived', change);
    await afterEnd(app, outcome);
    return outcome;
  } catch (error) {
    const { reason } = lease.signal as { readonly reason: unknown };
    // What may pass ends a run only when the segment's time is over, or when a fault that can't
    // pass has ended it already. Else the sweeper requeues it for another worker.
    const over = reason === 'deadline' || reason === 'unstorable';
    if (isFault(error) && error.advice === 'retry' && !over) {
      if (reason === 'shutdown') return yieldRun(app, lease, true);
      throw error;
    }
    if (isRefusal(error)) return putBack(app, lease, { kind: 'retry', error });
    app.log.write('error', 'result not stored', {
      task: lease.run.taskId,
      fault: faultName(error),
    });
    return failHere(app, lease, files?.failure ?? 'RESULT_NOT_STORED');
  }
}

/** It comes again when the remote may be called, and no worker waits for that. */
async function restRun(
  app: App,
  lease: Lease,
  { remote, until }: Extract<Ending, { kind: 'resting' }>,
): Promise<SegmentOutcome> {
  const wait = { circuit: remote, until: until + app.ids.random() * SPREAD };
  return queued(app, lease, (current, now) =>
    waitForCircuit(current, lease.claimed.token, wait, now),
  );
}

/** It looks again later, and ends when that has lasted as long as a person may take. */
async function blockRun(
  app: App,
  lease: Lease,
  changes: readonly Change[],
): Promise<SegmentOutcome> {
  const { run, token } = lease.claimed;
  const since = run.blocked?.since ?? app.clock.now();
  if (app.clock.now() - since >= app.settings.waitingRetention)
    return failHere(app, lease, 'WAIT_ENDED');
  if (run.blocked === undefined) logBlocked(app, run, changes);
  return queued(app, lease, (current, now) => {
    const blocked = blockOf(current, changes, now);
    return blocked && block(current, token, blocked, app.settings, now);
  });
}

/** By the lease, so that the row takes along what the agent threw. */
async function failHere(app: App, lease: Lease, reason: FailureReason): Promise<SegmentOutcome> {
  const { token } = lease.claimed;
  const outcome = await lease.commit(failure(app, reason, (run) => hasClaim(run, token)));
  await afterEnd(app, outcome);
  return outcome;
}

type Question = Extract<Ending, { kind: 'asked' | 'paused' }>;

function pinsFor({ agents }: App, { run }: Lease, ending: Question): readonly Pin[] {
  const agent = agents.get(run.agent);
  if (agent === undefined || ending.kind === 'asked') return [];
  return pinsOf(agent, ending.calls ?? []);
}

function requestOf(ending: Question): PauseRequest {
  if (ending.kind === 'paused') return ending.pause;
  const { auth, parts: words, schema } = ending;
  return {
    kind: 'input',
    words,
    ...(schema !== undefined && { schema }),
    ...(auth !== undefined && { auth }),
  };
}

type Worded = Extract<Ending, { kind: 'completed' | 'rejected' | 'cancelled' | 'failed' }>;

function transition(run: Run, lease: Lease, ending: Worded, now: number): Run | undefined {
  const { token } = lease.claimed;
  switch (ending.kind) {
    case 'completed':
      return complete(run, token, now, ending.spend);
    case 'rejected':
      return reject(run, token, now);
    case 'cancelled':
      return hasClaim(run, token) ? cancel(run, now) : undefined;
    case 'failed':
      return hasClaim(run, token) ? fail(run, 'AGENT_FAILED', now) : undefined;
  }
}

function publicationOf(app: App, items: readonly Item[], ending: Worded): Publication {
  const { frame, parts } = ending;
  const failed = ending.kind === 'failed';
  const words = failed && parts.length === 0 ? [{ text: 'The agent failed.' }] : parts;
  const artifacts = ending.kind === 'completed' ? (ending.artifacts ?? []) : [];
  return {
    items: [...items, ...artifacts.map(wholeArtifact)],
    status: {
      ...(words.length > 0 && { message: agentMessage(app, words, frame) }),
      ...(ending.kind === 'failed' && { metadata: failureOf(ending) }),
    },
  };
}

function failureOf({ fault }: Extract<Ending, { kind: 'failed' }>): JsonObject {
  return { reason: 'AGENT_FAILED', ...(fault !== undefined && { fault }) };
}

/**
 * Another segment goes on: the next worker need not wait for the lease to lapse. `repeats`: this
 * one was left in the middle.
 */
export async function yieldRun(app: App, lease: Lease, repeats: boolean): Promise<SegmentOutcome> {
  const outcome = await lease.commit({
    decide: (run, now) => handBack(run, lease.claimed.token, now, repeats),
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run);
  return outcome;
}

/**
 * A segment that was over before its progress was shown: nothing else will show it while the run
 * waits.
 */
async function leaveSuspended(app: App, run: Run): Promise<SegmentOutcome> {
  if (run.projectedRevision < run.revision)
    await projectSoon(app, run, () => projectRun(app, run.taskId, run));
  return { kind: 'changed', run, sealed: {} };
}

async function putBack(
  app: App,
  lease: Lease,
  ending: Extract<Ending, { kind: 'retry' }>,
): Promise<SegmentOutcome> {
  const { run, token } = lease.claimed;
  app.log.write('warning', 'segment is tried again', {
    task: run.taskId,
    fence: run.fence,
    attempt: tryOf(run),
    ...errorFacts(ending.error),
  });
  noteFault(app, lease, ending.error);
  if (isRefusal(ending.error)) return putOffRun(app, lease);
  return queued(app, lease, (current, now) =>
    hasClaim(current, token) ? requeue(current, app.settings, now, ending.delay) : undefined,
  );
}

function putOffRun(app: App, lease: Lease): Promise<SegmentOutcome> {
  return queued(app, lease, (current, now) =>
    putOff(current, lease.claimed.token, app.settings, now),
  );
}

/** Back into the queue, or FAILED where it may not go there again. */
async function queued(
  app: App,
  lease: Lease,
  decide: (current: Run, now: Millis) => Run | undefined,
): Promise<SegmentOutcome> {
  const outcome = await lease.commit({ decide });
  if (outcome.kind !== 'changed') return failHere(app, lease, exhaustedReason(lease.run));
  await wakeUp(app, outcome.run);
  return outcome;
}
