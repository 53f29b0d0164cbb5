import { type Backoff, backoff } from '../../domain/backoff.ts';
import type { Millis } from '../../domain/brand.ts';
import { add, exceeded, type Limits } from '../../domain/budget.ts';
import type { Part } from '../../domain/message.ts';
import type { Remote } from '../../domain/remote.ts';
import { sendIds } from '../../domain/send.ts';
import { partBytes } from '../../domain/stored-content.ts';
import { beginSend, endSend } from '../../domain/waiting.ts';
import type { SendOutcome } from '../../ports/remote-agents.ts';
import type { Delegated, Order } from '../transcript.ts';
import type { App } from '../app.ts';
import type { Lease } from '../segment/lease.ts';
import { unsealRemoteTask } from '../content/remote-task-ref.ts';
import { workKeyOf } from '../content/work-key.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { pushOf, writePush } from './push-of.ts';
import { completeCall, recordOutcome } from './record-outcome.ts';
import { recordLateOutcome } from './record-late-outcome.ts';
import { failureResult } from './remote-result.ts';
import { SegmentOver } from '../segments.ts';
import {
  BUSY,
  digestOf,
  mayLeaveAgain,
  type NewSend,
  prepareSend,
  sendWithOutcome,
} from './sends.ts';
import { suspendRun } from './suspend-run.ts';

/**
 * A send that provably came to nothing is tried this often; what may have arrived is never sent
 * again by itself (G15).
 */
const TRIES = 3;
const PAUSES: Backoff = { first: 1_000 };
/** Longer than this no worker waits for a remote that asks for patience. */
const PATIENCE: Millis = 20_000;

/**
 * One call to a remote agent (docs/delegation.md). The send is committed before it leaves (G14);
 * its answer and what follows from it, a result or a suspension, are one transaction. A send that
 * another segment prepared and left without an outcome has an unknown one: it may have left, or not
 * (G15).
 */
export async function delegate(
  app: App,
  lease: Lease,
  order: Order,
  limits: Limits,
): Promise<Delegated> {
  const { callId, parts, remote } = order;
  const ids = sendIds(lease.run.taskId, callId);
  const push = pushOf(app, remote);
  const send: NewSend = { ids, callId, remote: remote.name, parts, ...(push && { push }) };
  const present = await app.store.get(sendDoc(lease.run.taskId, ids.messageId));
  const refused = (reason: string) => {
    const value = failureResult(remote, 'refused', { reason });
    return completeCall(app, lease, limits, { callId, status: 'error', value });
  };
  if (present !== undefined && present.digest !== digestOf(send)) {
    // Another request under the id of one that may be out there would be answered by that one.
    return refused('another request has this id');
  }
  if (present !== undefined && !mayLeaveAgain(present)) {
    if (present.state === 'refused') return refused(present.reason ?? 'refused');
    return takeUp(app, lease, order, present);
  }
  const bytes = sizeOf(parts);
  const limit = present === undefined ? overLimit(lease, bytes, limits) : undefined;
  if (limit !== undefined) return { kind: 'exceeded', limit };
  if (bytes > remote.messageBytes) return refused(`over ${remote.messageBytes} bytes`);
  return attempt(app, lease, order, send, present, limits);
}

/** Another worker sent it: its late outcome counts; without one the outcome is unknown. */
async function takeUp(
  app: App,
  lease: Lease,
  { remote }: Order,
  present: SendDoc,
): Promise<Delegated> {
  if (present.operation === undefined) {
    const unknown = sendWithOutcome(app, present, 'outcome_unknown', 'worker lost');
    return suspendRun(app, lease, remote, unknown);
  }
  const { key: workKey } = await workKeyOf(app, lease.run);
  return suspendRun(
    app,
    lease,
    remote,
    present,
    unsealRemoteTask(workKey, present.messageId, present.operation),
  );
}

function overLimit(lease: Lease, bytes: number, limits: Limits) {
  return exceeded(add(lease.run.spent, { delegations: 1, bytes }), limits);
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + partBytes(part), 0);
}

async function attempt(
  app: App,
  lease: Lease,
  order: Order,
  send: NewSend,
  before: SendDoc | undefined,
  limits: Limits,
): Promise<Delegated> {
  const { ids, parts, push } = send;
  let present = before;
  for (let tries = 1; ; tries += 1) {
    const until = await app.circuits.restOf(order.remote);
    if (until !== undefined) return { kind: 'resting', remote: order.remote.name, until };
    const prepared = await commitSend(app, lease, send, present);
    // Not ended by the segment's end: a request that is on its way has an outcome, and that is
    // wanted.
    const outcome = await app.remotes.send(order.remote, { ...ids, parts, ...(push && { push }) });
    app.metrics?.measure('holdfast.sends', 1, { remote: order.remote.name, outcome: outcome.kind });
    const wait = tries < TRIES ? pauseAfter(outcome, tries) : undefined;
    if (wait === undefined) return recordOutcome(app, lease, order, prepared, outcome, limits);
    present = await noteFailure(app, lease, order.remote, prepared, outcome);
    await app.clock.sleep(wait, lease.signal);
    if (lease.signal.aborted) throw new SegmentOver(lease.signal.reason);
  }
}

/**
 * How long to wait before the same send may leave again; undefined when it may not, or not soon.
 */
function pauseAfter(outcome: SendOutcome, tries: number): Millis | undefined {
  if (outcome.kind === 'not_sent')
    return outcome.advice === undefined ? backoff(PAUSES, tries) : undefined;
  const { retryAfter } = outcome.kind === 'refused' ? outcome : {};
  const busy = outcome.kind === 'refused' && outcome.reason === BUSY;
  if (!busy || (retryAfter ?? 0) > PATIENCE) return undefined;
  return Math.max(retryAfter ?? 0, backoff(PAUSES, tries));
}

/**
 * Committed before it leaves: owner, remote, run, id and digest, with the budget that it takes
 * (G14, G16).
 */
async function commitSend(
  app: App,
  lease: Lease,
  send: NewSend,
  present: SendDoc | undefined,
): Promise<SendDoc> {
  const { token } = lease.claimed;
  const bytes = present === undefined ? sizeOf(send.parts) : undefined;
  const sending = { remote: send.remote, sendId: send.ids.messageId };
  const outcome = await lease.commit({
    seal: async ({ workKey, run }) => ({ doc: await prepareSend(app, workKey, run, send) }),
    decide: (run, now) => beginSend(run, token, now + app.settings.lease, sending, bytes),
    write(tx, { taskId }, { doc }) {
      const at = sendDoc(taskId, doc.messageId);
      if (present === undefined) tx.create(at, doc);
      else tx.set(at, doc);
      writePush(tx, send.push, { taskId, messageId: doc.messageId }, present?.push);
    },
  });
  if (outcome.kind === 'unchanged') throw new SegmentOver(lease.signal.reason ?? 'lost');
  return outcome.sealed.doc;
}

/**
 * It did not leave, and that is committed before it is tried again: a crash in between is no
 * unknown outcome.
 */
async function noteFailure(
  app: App,
  lease: Lease,
  remote: Remote,
  prepared: SendDoc,
  outcome: SendOutcome,
): Promise<SendDoc> {
  const { token } = lease.claimed;
  const state = outcome.kind === 'not_sent' ? 'not_sent' : 'refused';
  const noted = sendWithOutcome(app, prepared, state, 'reason' in outcome ? outcome.reason : null);
  const committed = await lease.commit({
    decide: (run, now) => endSend(run, token, now + app.settings.lease),
    write: (tx, next) => tx.set(sendDoc(next.taskId, noted.messageId), noted),
  });
  if (committed.kind === 'changed') return noted;
  await recordLateOutcome(app, lease.run.taskId, noted.messageId, remote, outcome);
  throw new SegmentOver(lease.signal.reason ?? 'lost');
}
