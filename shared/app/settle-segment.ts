import type { Item } from '../domain/delta.ts';
import { type FailureReason, holds, type Run } from '../domain/run.ts';
import { ask, complete, fail, reject, requeue } from '../domain/transitions.ts';
import { isFault } from '../ports/faults.ts';
import type { Ending } from './agents.ts';
import type { App } from './app.ts';
import type { Changed, Unchanged } from './change-run.ts';
import { questionParts } from './check-answer.ts';
import type { Publication } from './delta.ts';
import { afterEnd, agentMessage, failRun } from './end-run.ts';
import type { Hold } from './hold-run.ts';
import { faultName, wakeUp } from './wake-up.ts';

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
  if (ending.kind === 'ended') {
    return failRun(app, hold.run, ending.reason, mine);
  }
  if (ending.kind === 'retry') return putBack(app, hold, ending);
  try {
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

type Worded = Exclude<Ending, { kind: 'retry' }>;

function transition(run: Run, hold: Hold, ending: Worded, now: number): Run | undefined {
  const { token } = hold.claimed;
  switch (ending.kind) {
    case 'completed':
      return complete(run, token, now);
    case 'asked':
      return ask(run, token, ending.schema !== undefined, now);
    case 'rejected':
      return reject(run, token, now);
    case 'failed':
      return holds(run, token) ? fail(run, 'AGENT_FAILED', now) : undefined;
  }
}

function publicationOf(app: App, items: readonly Item[], ending: Worded): Publication {
  const parts = ending.kind === 'asked' ? questionParts(ending.parts, ending.schema) : ending.parts;
  const failed = ending.kind === 'failed';
  const words = failed && parts.length === 0 ? [{ text: 'The agent failed.' }] : parts;
  return {
    items,
    status: {
      ...(words.length > 0 && { message: agentMessage(app, words) }),
      ...(failed && { metadata: { reason: 'AGENT_FAILED' } }),
    },
  };
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
    return failRun(app, hold.run, 'ATTEMPTS_EXHAUSTED', (current) => holds(current, token));
  await wakeUp(app, outcome.run);
  return outcome;
}
