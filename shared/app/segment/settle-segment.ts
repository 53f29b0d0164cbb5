import type { Item } from '../../domain/delta.ts';
import { type FailureReason, holds, type Run } from '../../domain/run.ts';
import {
  complete,
  fail,
  handBack,
  reject,
  requeue,
  spentReason,
} from '../../domain/transitions.ts';
import { isFault } from '../../ports/faults.ts';
import type { Ending, PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import type { Changed, Unchanged } from '../change/change-run.ts';
import type { Publication } from '../content/delta.ts';
import { afterEnd, agentMessage, failRun } from '../change/end-run.ts';
import type { Hold } from './hold-run.ts';
import { pauseRun } from './pause-run.ts';
import { projectRun } from '../change/project-run.ts';
import { wholeArtifact } from './whole-artifact.ts';
import { faultName, projectSoon, wakeUp } from '../wake-up.ts';

/** The row as the segment left it, or as others did. */
export type Settled = Changed | Unchanged;

/** An ending that the agent does not get to word. */
export interface Ended {
  readonly kind: 'ended';
  readonly reason: FailureReason;
}

/**
 * Commits how a segment ended, with what it had gathered (architecture section 5): result and state are one transaction (G1).
 * A passing fault repeats that same transaction while the lease holds, and then costs an attempt; when the result can't be stored, a
 * second, content-free transaction settles FAILED.
 */
export async function settleSegment(
  app: App,
  hold: Hold,
  rest: readonly Item[],
  ending: Ending | Ended,
): Promise<Settled> {
  const { token } = hold.claimed;
  const mine = (run: Run): boolean => holds(run, token);
  switch (ending.kind) {
    case 'ended':
      return failRun(app, hold.run, ending.reason, mine);
    case 'exceeded':
      return failRun(app, hold.run, `${ending.limit}_EXCEEDED`, mine);
    case 'suspended':
      return leaveSuspended(app, hold.run);
    case 'yielded':
      return yieldRun(app, hold);
    case 'retry':
      return putBack(app, hold, ending);
    case 'completed':
    case 'rejected':
    case 'failed':
    case 'asked':
    case 'paused':
      return commitWords(app, hold, rest, ending, mine);
  }
}

/** Endings in the agent's own words: what can't be stored is said so. */
async function commitWords(
  app: App,
  hold: Hold,
  rest: readonly Item[],
  ending: Worded | Question,
  mine: (run: Run) => boolean,
): Promise<Settled> {
  try {
    if (ending.kind === 'asked' || ending.kind === 'paused')
      return await pauseRun(app, hold, rest, requestOf(ending));
    const outcome = await hold.commit(publicationOf(app, rest, ending), (run, now) =>
      transition(run, hold, ending, now),
    );
    await afterEnd(app, outcome);
    return outcome;
  } catch (error) {
    // The store was away for longer than the lease: that is the sweeper's to settle, who has another worker begin anew.
    if (isFault(error) && error.advice === 'retry' && !hold.signal.aborted) throw error;
    app.log.write('error', 'result not stored', { task: hold.run.taskId, fault: faultName(error) });
    return failRun(app, hold.run, 'RESULT_NOT_STORED', mine);
  }
}

type Question = Extract<Ending, { kind: 'asked' | 'paused' }>;

function requestOf(ending: Question): PauseRequest {
  if (ending.kind === 'paused') return ending.pause;
  const { parts: words, schema } = ending;
  return { kind: 'input', words, ...(schema !== undefined && { schema }) };
}

type Worded = Extract<Ending, { kind: 'completed' | 'rejected' | 'failed' }>;

function transition(run: Run, hold: Hold, ending: Worded, now: number): Run | undefined {
  const { token } = hold.claimed;
  switch (ending.kind) {
    case 'completed':
      return complete(run, token, now, ending.spend);
    case 'rejected':
      return reject(run, token, now);
    case 'failed':
      return holds(run, token) ? fail(run, 'AGENT_FAILED', now) : undefined;
  }
}

function publicationOf(app: App, items: readonly Item[], ending: Worded): Publication {
  const { parts } = ending;
  const failed = ending.kind === 'failed';
  const words = failed && parts.length === 0 ? [{ text: 'The agent failed.' }] : parts;
  const artifacts = ending.kind === 'completed' ? (ending.artifacts ?? []) : [];
  return {
    items: [...items, ...artifacts.map(wholeArtifact)],
    status: {
      ...(words.length > 0 && { message: agentMessage(app, words) }),
      ...(failed && { metadata: { reason: 'AGENT_FAILED' } }),
    },
  };
}

/** Another segment goes on: the next worker need not wait for the lease to lapse. */
export async function yieldRun(app: App, hold: Hold): Promise<Settled> {
  const outcome = await hold.commit(undefined, (run, now) =>
    handBack(run, hold.claimed.token, now),
  );
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run);
  return outcome;
}

/** A segment that was over sooner than its progress is shown: nobody else will show it while the run waits. */
async function leaveSuspended(app: App, run: Run): Promise<Settled> {
  if (run.projectedRevision < run.revision)
    await projectSoon(app, run, () => projectRun(app, run.taskId, run));
  return { kind: 'changed', run };
}

async function putBack(
  app: App,
  hold: Hold,
  ending: Extract<Ending, { kind: 'retry' }>,
): Promise<Settled> {
  const { run, token } = hold.claimed;
  app.log.write('warning', 'segment is tried again', {
    task: run.taskId,
    fence: run.fence,
    fault: faultName(ending.error),
  });
  const outcome = await hold.commit(undefined, (current, now) =>
    holds(current, token) ? requeue(current, app.settings, now, ending.delay) : undefined,
  );
  if (outcome.kind !== 'changed')
    return failRun(app, hold.run, spentReason(hold.run), (current) => holds(current, token));
  await wakeUp(app, outcome.run);
  return outcome;
}
