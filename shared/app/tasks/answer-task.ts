import type { Principal } from '../../domain/ids.ts';
import { invalid, isRefused, type Refused, refused } from '../../domain/refusal.ts';
import { isEnded, type Run, stateOf } from '../../domain/run.ts';
import { answer } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { checkAnswer } from './check-answer.ts';
import { decideByMessage } from './decide-by-message.ts';
import { eventByMessage, eventIn } from './event-by-message.ts';
import { decisionPart } from '../content/decision-part.ts';
import { inputDoc } from '../records/documents.ts';
import { unlessMoved } from '../change/unless-moved.ts';
import { changeRun } from '../change/change-run.ts';
import { refusedByPolicy } from '../privacy/policy.ts';
import { underPolicy } from '../privacy/under-policy.ts';
import { prepareInput } from '../content/segment-input.ts';
import { ownRun, unknownTask } from '../change/own-run.ts';
import { acceptedBy, receiptFor } from '../records/receipt.ts';
import type { Accepted, SendRequest } from '../service.ts';
import { tracedOf } from '../tracing.ts';
import { ownView } from './read-task.ts';
import { wakeUp } from '../wake-up.ts';
import { webhookWith } from '../webhooks/with-message.ts';

/**
 * A message to a task that exists. A plain message continues a task that asked, a decision one that
 * waits for it; every other state refuses it by name. The guard is inside the transaction, so of
 * two answers to one question exactly one is taken.
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
  const event = eventIn(request.message);
  if (isRefused(event)) return event;
  if (event !== undefined) return eventByMessage(app, known, request, event);
  const decision = decisionPart(request.message);
  if (isRefused(decision)) return decision;
  if (decision !== undefined) return decideByMessage(app, principal, request, known, decision);
  const run = known.status === 'waiting_for_input' ? await underPolicy(app, known) : known;
  if (run === undefined) return unknownTask();
  const forbidden = refusedByPolicy(app, app.agents.get(run.agent));
  if (forbidden !== undefined) return forbidden;
  const { message } = request;
  const receipt = receiptFor(app, principal, request);
  const webhook = webhookWith(app, run, request);
  const unfit = webhook.objection(run);
  if (unfit !== undefined) return unfit;
  const misfit =
    run.status === 'waiting_for_input'
      ? (tooLong(app, run) ?? (await unlessMoved(app, run, () => checkAnswer(app, run, message))))
      : undefined;
  const behind = await seenEarlier(app, principal, run, request);
  const outcome = await changeRun(app, run, {
    publish: { items: [{ kind: 'message', message }], status: {} },
    ...(request.audit && { audit: request.audit }),
    // What is published is redacted, and the agent needs the message as it came.
    seal: async (keys) => ({
      input:
        keys.run.answerCeiling === 'full' && request.beside === undefined
          ? undefined
          : await prepareInput(app, keys.runKey, request),
      digest: receipt.digest(keys.runKey),
      ...webhook.seal(keys),
    }),
    read: async (tx, current, sealed) => ({
      earlier: await receipt.find(tx),
      ...(await webhook.read(tx, current, sealed)),
    }),
    stale: (found) => webhook.stale(found),
    decide(current, now, { earlier, hook, input }) {
      // The question that was checked is the one that is answered.
      const asked = current.revision === run.revision ? answer(current, now) : undefined;
      if (asked === undefined || earlier !== undefined || misfit !== undefined || behind)
        return undefined;
      const trace = asked.trace ?? app.trace;
      const answered = { ...asked, hasInput: input !== undefined, ...(trace && { trace }) };
      return webhook.addTo(answered, { hook });
    },
    write(tx, next, { digest, input, ...found }) {
      if (input !== undefined) tx.set(inputDoc(next.taskId), input);
      receipt.write(tx, next, digest);
      webhook.write(tx, found);
    },
  });
  if (outcome.kind === 'changed') {
    await wakeUp(app, outcome.run);
    return acceptedBy(outcome.run);
  }
  const { read, run: current } = outcome;
  if (current === undefined) return unknownTask();
  if (read?.earlier !== undefined) return receipt.answer(read.earlier);
  if (behind !== undefined) return behind;
  const answerable = current.revision === run.revision && current.status === 'waiting_for_input';
  return (answerable ? misfit : undefined) ?? notNow(current);
}

/**
 * Refused where the sender has not seen what the row says, by its position in the journal. That the
 * row still says it when the message is taken is looked at there.
 */
async function seenEarlier(
  app: App,
  principal: Principal,
  { revision, taskId }: Run,
  { ifSeq }: SendRequest,
): Promise<Refused | undefined> {
  if (ifSeq === undefined) return undefined;
  const view = await ownView(app, principal, taskId, revision);
  if (view === undefined || (view.lastSeq === ifSeq && view.projectedRevision === revision))
    return undefined;
  const message = `the task is at generation ${view.lastSeq} and not at ${ifSeq}; read it again`;
  return refused('GENERATION_MISMATCH', message, {
    metadata: {
      taskId,
      expectedGeneration: String(ifSeq),
      currentGeneration: String(view.lastSeq),
    },
  });
}

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

/** Each message of a client but the first answers one pause. */
function tooLong({ settings }: App, { pauseGeneration }: Run): Refused | undefined {
  const { taskMessages: most } = settings;
  if (pauseGeneration < most) return undefined;
  const message = `the task has taken ${pauseGeneration} messages, and may have ${most} (limit taskMessages); cancel it, and begin a new one in its context`;
  return refused('TASK_TOO_LARGE', message, { metadata: { limit: 'taskMessages' } });
}
