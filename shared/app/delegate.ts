import type { Millis } from '../domain/brand.ts';
import { add, exceeded, type Limits } from '../domain/budget.ts';
import type { Json } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import type { Operation } from '../domain/remote.ts';
import { sendIds } from '../domain/send.ts';
import type { Result } from '../domain/step.ts';
import { partBytes } from '../domain/stored-content.ts';
import { beginSend, step as stepped } from '../domain/waiting.ts';
import { renew } from '../domain/transitions.ts';
import type { SendOutcome } from '../ports/remote-agents.ts';
import type { Delegated, Order } from './agents.ts';
import type { App } from './app.ts';
import { adoptLateAnswer } from './adopt-late-answer.ts';
import type { Hold } from './hold-run.ts';
import { type SendDoc, sendDoc } from './payload-documents.ts';
import { prepareStep } from './prepare-step.ts';
import { pushOf } from './push-of.ts';
import { failureResult, remoteResult, replyResult, resolutionOf } from './remote-result.ts';
import { SegmentOver } from './segment-over.ts';
import { digestOf, type NewSend, prepareSend, settledSend } from './sends.ts';
import { suspendRun } from './suspend-run.ts';

/** A send that provably came to nothing is tried this often; what may have arrived is never sent again by itself (G15). */
const TRIES = 3;
const PAUSE: Millis = 1_000;
/** Longer than this no worker waits for a remote that asks for patience. */
const PATIENCE: Millis = 20_000;

/**
 * One call to a remote agent (architecture section 8). The send is committed before it leaves (G14); its answer and what follows
 * from it, a result or a suspension, are one transaction. A send that another segment prepared and did not settle has an unknown
 * outcome: nobody can say whether it left (G15).
 */
export async function delegate(
  app: App,
  hold: Hold,
  order: Order,
  limits: Limits,
): Promise<Delegated> {
  const { callId, parts, remote } = order;
  const ids = sendIds(hold.run.taskId, callId);
  const send: NewSend = { ids, callId, remote: remote.name, parts };
  const present = await app.store.get(sendDoc(hold.run.taskId, ids.messageId));
  if (present !== undefined && present.digest !== digestOf(send)) {
    // Another request under the id of one that may be out there would be answered by that one.
    const value = { agent: remote.name, status: 'refused', reason: 'another request has this id' };
    return answered(app, hold, present, callId, 'error', value);
  }
  if (present !== undefined && !mayLeaveAgain(present)) {
    return suspendRun(
      app,
      hold,
      remote,
      settledSend(app, present, 'outcome_unknown', 'worker lost'),
    );
  }
  const bytes = sizeOf(parts);
  const limit = present === undefined ? overLimit(hold, bytes, limits) : undefined;
  if (limit !== undefined) return { kind: 'exceeded', limit };
  if (bytes > remote.messageBytes) {
    const value = failureResult(remote, 'refused', { reason: `over ${remote.messageBytes} bytes` });
    return answered(app, hold, undefined, callId, 'error', value);
  }
  return attempt(app, hold, order, send, present);
}

/** Only what provably did not leave, or was refused for the moment, may go out again under its id. */
function mayLeaveAgain({ reason, state }: SendDoc): boolean {
  return state === 'not_sent' || (state === 'refused' && reason === 'http 429');
}

function overLimit(hold: Hold, bytes: number, limits: Limits) {
  return exceeded(add(hold.run.spent, { delegations: 1, bytes }), limits);
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + partBytes(part), 0);
}

async function attempt(
  app: App,
  hold: Hold,
  order: Order,
  send: NewSend,
  before: SendDoc | undefined,
): Promise<Delegated> {
  let present = before;
  for (let tries = 1; ; tries += 1) {
    const prepared = await commitSend(app, hold, send, present);
    const outcome = await app.remotes.send(order.remote, {
      ...send.ids,
      parts: send.parts,
      ...(await pushOf(app, hold.run, order.remote, send.ids)),
    });
    const wait = tries < TRIES ? pauseAfter(outcome, tries) : undefined;
    if (wait === undefined) return record(app, hold, order, prepared, outcome);
    present = await noteFailure(app, hold, prepared, outcome);
    await app.clock.sleep(wait, hold.signal);
    if (hold.signal.aborted) throw new SegmentOver(hold.signal.reason);
  }
}

/** How long to wait before the same send may leave again; undefined when it may not, or not soon. */
function pauseAfter(outcome: SendOutcome, tries: number): Millis | undefined {
  if (outcome.kind === 'not_sent') return PAUSE * 2 ** (tries - 1);
  const { retryAfter } = outcome.kind === 'refused' ? outcome : {};
  const busy = outcome.kind === 'refused' && outcome.reason === 'http 429';
  if (!busy || (retryAfter ?? 0) > PATIENCE) return undefined;
  return Math.max(retryAfter ?? 0, PAUSE * 2 ** (tries - 1));
}

/** Committed before it leaves: owner, remote, run, id and digest, with the budget that it takes (G14, G16). */
async function commitSend(
  app: App,
  hold: Hold,
  send: NewSend,
  present: SendDoc | undefined,
): Promise<SendDoc> {
  const { token } = hold.claimed;
  const bytes = present === undefined ? sizeOf(send.parts) : undefined;
  let prepared: SendDoc | undefined;
  const outcome = await hold.commit(
    undefined,
    (run, now) => {
      const until = now + app.settings.lease;
      return bytes === undefined ? renew(run, token, until) : beginSend(run, token, until, bytes);
    },
    async (payload) => {
      const doc = await prepareSend(app, payload, hold.run, send);
      prepared = doc;
      const at = sendDoc(hold.run.taskId, send.ids.messageId);
      return (tx) => (present === undefined ? tx.create(at, doc) : tx.set(at, doc));
    },
  );
  if (outcome.kind === 'unchanged' || prepared === undefined)
    throw new SegmentOver(hold.signal.reason ?? 'lost');
  return prepared;
}

/** It did not leave, and that is committed before it is tried again: a crash in between is no unknown outcome. */
async function noteFailure(
  app: App,
  hold: Hold,
  prepared: SendDoc,
  outcome: SendOutcome,
): Promise<SendDoc> {
  const { token } = hold.claimed;
  const state = outcome.kind === 'not_sent' ? 'not_sent' : 'refused';
  const noted = settledSend(app, prepared, state, 'reason' in outcome ? outcome.reason : null);
  const committed = await hold.commit(
    undefined,
    (run, now) => renew(run, token, now + app.settings.lease),
    () => (tx, next) => tx.set(sendDoc(next.taskId, noted.messageId), noted),
  );
  if (committed.kind === 'unchanged') throw new SegmentOver(hold.signal.reason ?? 'lost');
  return noted;
}

async function record(
  app: App,
  hold: Hold,
  { callId, remote }: Order,
  prepared: SendDoc,
  outcome: SendOutcome,
): Promise<Delegated> {
  switch (outcome.kind) {
    case 'acknowledged': {
      const { task } = outcome;
      const send = settledSend(app, prepared, 'acknowledged');
      const resolution = resolutionOf(task);
      if (resolution === undefined) {
        return orAdopted(app, hold, send, task.operation, () =>
          suspendRun(app, hold, remote, send, task.operation),
        );
      }
      const value = remoteResult(remote, resolution, task);
      return answered(app, hold, send, callId, 'ok', value, task.bytes);
    }
    case 'replied': {
      const send = settledSend(app, prepared, 'acknowledged');
      const value = replyResult(remote, outcome.message.parts);
      return answered(app, hold, send, callId, 'ok', value, outcome.bytes);
    }
    case 'refused':
    case 'not_sent': {
      const send = settledSend(app, prepared, outcome.kind, outcome.reason);
      const value = failureResult(remote, outcome.kind, outcome);
      return answered(app, hold, send, callId, 'error', value);
    }
    case 'outcome_unknown':
      return suspendRun(
        app,
        hold,
        remote,
        settledSend(app, prepared, 'outcome_unknown', outcome.reason),
      );
  }
}

/** Somebody ended the run, or took it, while the remote took the message: its task must not be left to itself. */
async function orAdopted(
  app: App,
  hold: Hold,
  send: SendDoc,
  operation: Operation,
  work: () => Promise<Delegated>,
): Promise<Delegated> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SegmentOver) await adoptLateAnswer(app, hold.run.taskId, send, operation);
    throw error;
  }
}

/** The result of the call is the next step, with the send's new state in the same commit. */
async function answered(
  app: App,
  hold: Hold,
  send: SendDoc | undefined,
  callId: string,
  status: Result['status'],
  value: Json,
  bytes = 0,
): Promise<Delegated> {
  const { token } = hold.claimed;
  const step: Result = { kind: 'result', callId, status, value };
  const outcome = await hold.commit(
    undefined,
    (run, now) => stepped(run, token, now + app.settings.lease, { spend: { bytes } }, now),
    async (payload) => {
      const given = { step, fence: hold.claimed.run.fence };
      const write = await prepareStep(app, payload, hold.run.steps + 1, given);
      return (tx, next) => {
        write(tx, next);
        if (send !== undefined) tx.set(sendDoc(next.taskId, send.messageId), send);
      };
    },
  );
  if (outcome.kind === 'unchanged') throw new SegmentOver(hold.signal.reason ?? 'lost');
  return { kind: 'answered', step };
}
