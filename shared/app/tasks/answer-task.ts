import { type Principal, scopeOf } from '../../domain/ids.ts';
import { invalid, isRefused, type Refused, refused } from '../../domain/refusal.ts';
import { isEnded, type Run, stateOf } from '../../domain/run.ts';
import { answer } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { checkAnswer } from './check-answer.ts';
import { decideByMessage } from './decide-by-message.ts';
import { decisionPart } from '../content/decision-part.ts';
import { preparePublication, revisionOf } from '../content/publication.ts';
import { inputDoc, receiptDoc, revisionDoc, runDoc } from '../records/documents.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { refusedByPolicy } from '../privacy/policy.ts';
import { underPolicy } from '../privacy/under-policy.ts';
import { prepareInput } from '../content/segment-input.ts';
import { ownRun, unknownTask } from '../change/own-run.ts';
import { acceptedBefore, digestOf, isRecognised, receiptOf } from '../records/receipt.ts';
import type { Accepted, SendRequest } from '../service.ts';
import { tracedOf } from '../tracing.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * A message to a task that exists: it continues one that asked, and a decision one that waits for it; every other state refuses it by name. The guard stands inside
 * the transaction, so of two answers to one question exactly one is taken.
 */
export async function answerTask(
  app: App,
  principal: Principal,
  request: SendRequest,
): Promise<Accepted | Refused> {
  const run = await ownRun(app, principal, request.taskId ?? '');
  if (isRefused(run)) return run;
  const given = () => ({ attributes: { task: run.taskId } });
  return tracedOf(app, run, 'answer', given, async (traceable, span) => {
    const outcome = await answerRun(traceable, principal, request, run);
    if (isRefused(outcome)) span?.set({ refused: outcome.code });
    return outcome;
  });
}

async function answerRun(
  app: App,
  principal: Principal,
  request: SendRequest,
  known: Run,
): Promise<Accepted | Refused> {
  if (request.contextId && request.contextId !== known.contextId) {
    return invalid('message.contextId', 'is not the context of this task');
  }
  const decision = decisionPart(request.message);
  if (isRefused(decision)) return decision;
  if (decision !== undefined) return decideByMessage(app, principal, request, known, decision);
  const run = known.status === 'waiting_for_input' ? await underPolicy(app, known) : known;
  if (run === undefined) return unknownTask();
  const forbidden = refusedByPolicy(app, app.agents.get(run.agent));
  if (forbidden !== undefined) return forbidden;
  const runKey = await runKeyOf(app, run);
  const digest = digestOf(request);
  const recognised = isRecognised(app, principal);
  const receiptAt = receiptDoc(scopeOf(principal), request.message.messageId);
  const commitId = app.ids.token();
  const wrong =
    run.status === 'waiting_for_input' ? await checkAnswer(app, run, request.message) : undefined;
  const items = [{ kind: 'message', message: request.message }] as const;
  const prepared = await preparePublication(app, runKey, { items, status: {} }, run.answerCeiling);
  const input =
    run.answerCeiling === 'full' ? undefined : await prepareInput(app, runKey, request.message);
  let mine: Run | undefined;

  const outcome = await app.store.transact(async (tx): Promise<Accepted | Refused> => {
    const current = await tx.get(runDoc(run.taskId));
    if (current === undefined) return unknownTask();
    if (mine !== undefined) {
      // The attempt before this one may have been applied after all; its revision says so.
      const written = await tx.get(revisionDoc(mine.taskId, mine.revision));
      if (written?.commitId === commitId) return acceptedBy(mine);
    }
    const receipt = recognised ? await tx.get(receiptAt) : undefined;
    if (receipt !== undefined && receipt.expiresAt > app.clock.now())
      return acceptedBefore(receipt, digest);
    const next = answer(current, app.clock.now());
    if (next === undefined) return notNow(current);
    // The question that was checked is the one that is answered.
    if (current.revision !== run.revision) return notNow(current);
    // Tightened meanwhile: what was prepared for the old ceiling may not be stored. The client may send it again.
    if (current.answerCeiling !== run.answerCeiling) return notNow(current);
    if (wrong !== undefined) return wrong;
    const trace = next.trace ?? app.trace;
    const traceable = trace === undefined ? next : { ...next, trace };
    mine = { ...traceable, commitId, purgeAt: null, hasInput: input !== undefined };
    if (input !== undefined) tx.set(inputDoc(run.taskId), input);
    tx.set(runDoc(run.taskId), mine);
    tx.create(revisionDoc(run.taskId, mine.revision), revisionOf(app, mine, commitId, prepared));
    if (recognised) {
      tx.set(
        receiptAt,
        receiptOf(acceptedBy(mine), digest, mine.statusAt + app.settings.receiptLife),
      );
    }
    return acceptedBy(mine);
  });
  if (mine !== undefined && !isRefused(outcome)) await wakeUp(app, mine);
  return outcome;
}

const acceptedBy = (run: Run): Accepted => ({
  kind: 'accepted',
  taskId: run.taskId,
  contextId: run.contextId,
  revision: run.revision,
});

function notNow(run: Run): Refused {
  if (isEnded(run)) {
    const message = `the task is ${stateOf(run)}, which is final; send the message without a task id to start a new one`;
    return refused('TASK_TERMINAL', message);
  }
  if (run.status === 'waiting_for_approval') {
    const part = '{"kind": "approve" or "deny", "pauseGeneration", "digest"}';
    const message = `the task waits for an approval, which a plain message never gives; send a data part ${part} with the values of its status message`;
    return refused('DECISION_REQUIRED', message);
  }
  return refused(
    'TASK_BUSY',
    'the task is at work on an earlier message; send the next one when it asks, or cancel it',
  );
}
