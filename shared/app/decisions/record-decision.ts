import type { Millis } from '../../domain/brand.ts';
import type { Decision, DecisionReceipt } from '../../domain/decision.ts';
import type { Message, Part } from '../../domain/message.ts';
import { isRefused, type Refused, refused } from '../../domain/refusal.ts';
import { isEnded, type Run, stateOf } from '../../domain/run.ts';
import { waitsIn } from '../../domain/waiting.ts';
import type { PauseRequest } from '../agents.ts';
import { withOperatorAction } from '../content/operator-actions.ts';
import type { App } from '../app.ts';
import type { Also, Prior } from '../change/change-run.ts';
import { checkDecision, type FieldName } from './check-decision.ts';
import type { Decider } from './decider.ts';
import {
  fingerprintOf,
  prepareDecision,
  receiptOfDecision,
  shownReceipt,
} from './decision-record.ts';
import type { DecisionPart } from '../content/decision-part.ts';
import { type DecisionDoc, decisionDoc } from '../records/work-documents.ts';
import { inputDoc } from '../records/documents.ts';
import { type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import { unknownTask } from '../change/own-run.ts';
import { publishRun } from '../change/publish-run.ts';
import { underPolicy } from '../privacy/under-policy.ts';
import { prepareInput } from '../content/segment-input.ts';

/** A decision on its way into a run, however it came and whoever is to carry it out. */
export interface IncomingDecision {
  readonly decider: Decider;
  readonly decision: Decision;
  readonly mode: DecisionDoc['mode'];
  readonly field: FieldName;
  /** What it makes of a run that still waits in that pause. */
  readonly advance: (run: Run, now: Millis) => Run | undefined;
  /** The client's message that it came in: part of what was said. */
  readonly said?: { readonly message: Message; readonly part: DecisionPart };
  /** What else is written in the same commit. */
  readonly along?: (workKey: SealingKey, known: Run) => Promise<Also>;
  /** Read in the same transaction; `advance` may go by it. */
  readonly prior?: Prior;
}

export interface RecordedDecision {
  readonly kind: 'taken';
  readonly receipt: DecisionReceipt;
  /** The revision that took it. */
  readonly revision: number;
  /** The row as it was committed by this very call; absent when the decision had been taken before. */
  readonly run?: Run;
}

/**
 * Checks a decision and takes it in one transaction with its document, what it publishes and the row: whoever comes second to a pause,
 * by whatever way, finds it over (G18). The same decision of the same decider is answered by the receipt that it
 * had.
 */
export async function recordDecision(
  app: App,
  known: Run,
  incoming: IncomingDecision,
): Promise<RecordedDecision | Refused> {
  const { decider, decision, field } = incoming;
  const run = waitsIn(known, decision.pauseGeneration) ? await underPolicy(app, known) : known;
  if (run === undefined || !waitsIn(run, decision.pauseGeneration))
    return recordedBefore(app, run, incoming);
  const request = await checkDecision(app, run, decider, decision, field);
  if (isRefused(request)) return request;
  const receipt: DecisionReceipt = {
    id: app.ids.uuid(),
    run: run.taskId,
    generation: decision.pauseGeneration,
    kind: decision.kind,
    time: app.clock.now(),
  };
  const { input, message } = messagesOf(app, incoming, request);
  let sealedAt: SealingKey | undefined;
  const outcome = await publishRun(
    app,
    run,
    {
      items: message === undefined ? [] : [{ kind: 'message', message }],
      status: { metadata: { decision: shownReceipt(receipt) } },
    },
    (current, now) => {
      const next = noted(app, sealedAt, decider, decision, incoming.advance(current, now), now);
      const kept =
        input === undefined
          ? current.hasInput
          : current.answerCeiling !== 'full' || input !== message;
      const trace = current.trace ?? app.trace;
      return next && { ...next, hasInput: kept, ...(trace !== undefined && { trace }) };
    },
    undefined,
    async (workKey, runKey, known) => {
      sealedAt = runKey;
      const write = await prepareDecision(app, workKey, runKey, { ...incoming, receipt });
      const doc = input && (await prepareInput(app, runKey, input));
      const more = await incoming.along?.(workKey, known);
      const also: Also = (tx, next) => {
        write(tx, next);
        if (doc !== undefined && next.hasInput) tx.set(inputDoc(next.taskId), doc);
        more?.(tx, next);
      };
      return incoming.prior === undefined ? also : { also, prior: incoming.prior };
    },
  );
  if (outcome.kind === 'unchanged') return recordedBefore(app, outcome.run, incoming);
  return { kind: 'taken', receipt, revision: outcome.run.revision, run: outcome.run };
}

/** An operator's name outlives the run: somebody asks who approved when it is done. An owner's is the task's own. */
function noted(
  app: App,
  runKey: SealingKey | undefined,
  decider: Decider,
  { kind }: Decision,
  next: Run | undefined,
  now: Millis,
): Run | undefined {
  if (next === undefined || runKey === undefined || decider.kind !== 'operator') return next;
  return withOperatorAction(app, runKey, next, { kind, operator: decider.subject }, now);
}

/** The pause is over, or never was: fine for whoever repeats the decision that ended it, and too late for all others. */
async function recordedBefore(
  app: App,
  run: Run | undefined,
  { decider, decision, field }: IncomingDecision,
): Promise<RecordedDecision | Refused> {
  if (run === undefined || run.status === 'purging') return unknownTask();
  const doc = await app.store.get(decisionDoc(run.taskId, decision.pauseGeneration));
  if (doc !== undefined && doc.state !== 'refused') {
    const runKey = await runKeyOf(app, run);
    if (doc.fingerprint === fingerprintOf(runKey, decider, decision)) {
      const { revision } = doc;
      return { kind: 'taken', receipt: receiptOfDecision(run.taskId, doc), revision };
    }
  }
  return over(run, field);
}

function over(run: Run, field: FieldName): Refused {
  const now = isEnded(run)
    ? `the task is ${stateOf(run)}, which is final`
    : run.status === 'waiting_for_input' || run.status === 'waiting_for_approval'
      ? `the task waits in pause ${run.pauseGeneration}`
      : 'the task waits for nobody';
  const message = `that pause is over, or somebody else has decided about it; ${now}`;
  return refused('PAUSE_OVER', message, { field: field('.pauseGeneration') });
}

interface Messages {
  /** What the history shows. */
  readonly message?: Message;
  /** What the agent gets to work on. */
  readonly input?: Message;
}

/** An input is the next message of the task: in the client's own words where it came in a message, and else in the decider's data. */
function messagesOf(
  app: App,
  { decision, said }: IncomingDecision,
  request: PauseRequest,
): Messages {
  const message = said?.message;
  if (decision.kind !== 'input' || decision.input === undefined)
    return message === undefined ? {} : { message };
  const wantsData = request.kind === 'input' && request.schema !== undefined;
  const part: Part =
    typeof decision.input === 'string' && !wantsData
      ? { text: decision.input }
      : { data: decision.input };
  if (said === undefined) {
    const input: Message = { messageId: app.ids.uuid(), role: 'user', parts: [part] };
    return { message: input, input };
  }
  const parts = said.message.parts.map((each, at) => (at === said.part.at ? part : each));
  return { message: said.message, input: { ...said.message, parts } };
}
