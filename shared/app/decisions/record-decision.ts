import type { Delivered } from '../../domain/caller.ts';
import type { Decision, DecisionReceipt } from '../../domain/decision.ts';
import type { Message, Part } from '../../domain/message.ts';
import { isRefused, type Refused, refused } from '../../domain/refusal.ts';
import { isEnded, type Run, stateOf, waitsForPerson } from '../../domain/run.ts';
import { waitsIn } from '../../domain/waiting.ts';
import type { PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { unlessMoved } from '../change/unless-moved.ts';
import { nothing } from '../change/prepare-change.ts';
import type { ActBy, Nothing, RunChange } from '../change/run-change.ts';
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
import { inputDoc, runDoc } from '../records/documents.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { unknownTask } from '../change/own-run.ts';
import { underPolicy } from '../privacy/under-policy.ts';
import { prepareInput } from '../content/segment-input.ts';

/**
 * A decision on its way into a run, whichever way it came and whether a worker or the decider will
 * carry it out.
 */
export interface IncomingDecision<S extends object = Nothing, R extends object = Nothing> {
  readonly decider: Decider;
  readonly decision: Decision;
  readonly mode: DecisionDoc['mode'];
  readonly field: FieldName;
  /**
   * What it makes of a run that still waits in that pause, and what else is written in the same
   * commit.
   */
  readonly change: Omit<RunChange<S, R>, 'publish' | 'memory'>;
  /** The client's message that it came in: part of what was said. */
  readonly said?: Delivered & { readonly part: DecisionPart };
}

/** Whose decision it is, and about what. */
type Subject = Omit<IncomingDecision, 'change'>;

export interface RecordedDecision {
  readonly kind: 'taken';
  readonly receipt: DecisionReceipt;
  /** The revision that took it. */
  readonly revision: number;
  /**
   * The row as it was committed by this very call; absent when the decision had been taken before.
   */
  readonly run?: Run;
}

/**
 * Checks a decision and takes it in one transaction with its document, what it publishes and the
 * row: the second decision about a pause, whichever way it came, finds it over (G18). The same
 * decision of the same decider is answered by the receipt that it had.
 */
export async function recordDecision<S extends object, R extends object>(
  app: App,
  known: Run,
  incoming: IncomingDecision<S, R>,
): Promise<RecordedDecision | Refused> {
  const { change, decider, decision, field } = incoming;
  const run = waitsIn(known, decision.pauseGeneration) ? await underPolicy(app, known) : known;
  if (run === undefined || !waitsIn(run, decision.pauseGeneration))
    return recordedBefore(app, run, incoming);
  const request = await unlessMoved(app, run, () =>
    checkDecision(app, run, decider, decision, field),
  );
  if (request === undefined)
    return recordedBefore(app, await app.store.get(runDoc(run.taskId)), incoming);
  if (isRefused(request)) return request;
  const receipt: DecisionReceipt = {
    id: app.ids.uuid(),
    run: run.taskId,
    generation: decision.pauseGeneration,
    kind: decision.kind,
    time: app.clock.now(),
  };
  const { input, message } = messagesOf(app, incoming, request);
  const outcome = await changeRun(app, run, {
    publish: {
      items: message === undefined ? [] : [{ kind: 'message', message }],
      status: { metadata: { decision: shownReceipt(receipt) } },
    },
    seal: async (keys) => ({
      writeDecision: await prepareDecision(app, keys, { ...incoming, receipt }),
      inputDoc: input && (await prepareInput(app, keys.runKey, input)),
      theirs: change.seal === undefined ? nothing<S>() : await change.seal(keys),
    }),
    ...actOf(incoming),
    read: async (tx, current, { theirs }) => ({
      found: {
        ...theirs,
        ...(change.read ? await change.read(tx, current, theirs) : nothing<R>()),
      },
    }),
    stale: ({ found }) => change.stale?.(found) === true,
    decide(current, now, { found }) {
      const next = change.decide(current, now, found);
      const hasInput =
        input === undefined
          ? current.hasInput
          : current.answerCeiling !== 'full' ||
            input.message !== message ||
            input.beside !== undefined;
      const trace = current.trace ?? app.trace;
      return next && { ...next, hasInput, ...(trace !== undefined && { trace }) };
    },
    write(tx, next, { found, inputDoc: doc, writeDecision }) {
      writeDecision(tx, next);
      if (doc !== undefined && next.hasInput) tx.set(inputDoc(next.taskId), doc);
      change.write?.(tx, next, found);
    },
  });
  if (outcome.kind === 'unchanged') return recordedBefore(app, outcome.run, incoming);
  return { kind: 'taken', receipt, revision: outcome.run.revision, run: outcome.run };
}

/**
 * An operator's name outlives the run: people ask who approved when it is done. An owner's is the
 * task's own.
 */
function actOf({ decider, decision: { kind } }: Subject): { readonly act?: ActBy } {
  return decider.kind === 'operator' ? { act: { kind, operator: decider.subject } } : {};
}

/**
 * The pause is over, or never was: fine for a repeat of the decision that ended it, and too late
 * for any other.
 */
async function recordedBefore(
  app: App,
  run: Run | undefined,
  { decider, decision, field }: Subject,
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
    : waitsForPerson(run)
      ? `the task waits in pause ${run.pauseGeneration}`
      : 'the task waits for no person';
  const message = `that pause is over, or another decision came first; ${now}`;
  return refused('PAUSE_OVER', message, { field: field('.pauseGeneration') });
}

interface Messages {
  /** What the history shows. */
  readonly message?: Message;
  /** What the agent gets to work on. */
  readonly input?: Delivered;
}

/**
 * An input is the next message of the task: in the client's own words where it came in a message,
 * and else in the decider's data.
 */
function messagesOf(app: App, { decision, said }: Subject, request: PauseRequest): Messages {
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
    return { message: input, input: { message: input } };
  }
  const parts = said.message.parts.map((each, at) => (at === said.part.at ? part : each));
  const { beside } = said;
  return {
    message: said.message,
    input: { message: { ...said.message, parts }, ...(beside !== undefined && { beside }) },
  };
}
