import { withOrphan } from '../../domain/dependency.ts';
import { exceeded, type Limits } from '../../domain/budget.ts';
import type { Json } from '../../domain/json.ts';
import type { RemoteTaskRef } from '../../domain/remote.ts';
import type { Result } from '../../domain/step.ts';
import { toldOfRemote } from '../../domain/step-facts.ts';
import { step as stepped } from '../../domain/waiting.ts';
import type { CallFailure, SendOutcome } from '../../ports/remote-agents.ts';
import type { Delegated, Order } from '../transcript.ts';
import type { App } from '../app.ts';
import type { Lease } from '../segment/lease.ts';
import { sealRemoteTask } from '../content/remote-task-ref.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { prepareStep } from '../change/prepare-step.ts';
import { recordLateOutcome } from './record-late-outcome.ts';
import {
  failureResult,
  isInterruption,
  remoteResult,
  replyResult,
  resolutionOf,
} from './remote-result.ts';
import { SegmentOver } from '../segments.ts';
import { sendWithOutcome } from './sends.ts';
import { suspendRun } from './suspend-run.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * What the remote made of a send: its new state, and what follows, a result or a suspension, are
 * one transaction.
 */
export async function recordOutcome(
  app: App,
  lease: Lease,
  order: Order,
  prepared: SendDoc,
  outcome: SendOutcome,
  limits: Limits,
): Promise<Delegated> {
  try {
    return await recorded(app, lease, order, prepared, outcome, limits);
  } catch (error) {
    if (error instanceof SegmentOver)
      await recordLateOutcome(app, lease.run.taskId, prepared.messageId, order.remote, outcome);
    throw error;
  }
}

async function recorded(
  app: App,
  lease: Lease,
  { callId, remote }: Order,
  prepared: SendDoc,
  outcome: SendOutcome,
  limits: Limits,
): Promise<Delegated> {
  switch (outcome.kind) {
    case 'acknowledged': {
      const { task } = outcome;
      const send = sendWithOutcome(app, prepared, 'acknowledged');
      const resolution = resolutionOf(task);
      if (resolution === undefined) return suspendRun(app, lease, remote, send, task.ref);
      return completeCall(app, lease, limits, {
        callId,
        status: resolution === 'completed' ? 'ok' : 'error',
        value: remoteResult(remote, resolution, task),
        bytes: task.bytes,
        send,
        ...(isInterruption(resolution) && { orphan: task.ref }),
      });
    }
    case 'replied':
      return completeCall(app, lease, limits, {
        callId,
        status: 'ok',
        value: replyResult(remote, outcome.message.parts),
        bytes: outcome.bytes,
        send: sendWithOutcome(app, prepared, 'acknowledged'),
      });
    case 'refused':
    case 'not_sent':
      return completeCall(app, lease, limits, {
        callId,
        status: 'error',
        value: failureResult(remote, outcome.kind, outcome),
        send: sendWithOutcome(app, prepared, outcome.kind, whyNot(outcome)),
      });
    case 'outcome_unknown':
      return suspendRun(
        app,
        lease,
        remote,
        sendWithOutcome(app, prepared, 'outcome_unknown', outcome.reason),
      );
  }
}

/** For operators: what is to be set right, too. */
export const whyNot = ({ advice, reason }: CallFailure): string =>
  advice === undefined ? reason : `${reason}: ${advice}`;

export interface CallCompletion {
  readonly callId: string;
  readonly status: Result['status'];
  readonly value: Json;
  /** Of the remote's answer; they count (G16). */
  readonly bytes?: number;
  /** The send as it is from now on. */
  readonly send?: SendDoc;
  /** A remote task that no run will wait for: it is cancelled. */
  readonly orphan?: RemoteTaskRef;
}

/** The result of the call is the next step, with the send's new state in the same commit. */
export async function completeCall(
  app: App,
  lease: Lease,
  limits: Limits,
  { callId, status, value, bytes = 0, send, orphan }: CallCompletion,
): Promise<Delegated> {
  const { token } = lease.claimed;
  const step: Result = { kind: 'result', callId, status, value };
  const number = lease.run.steps + 1;
  const outcome = await lease.commit({
    seal: async (keys) => ({
      remoteTask:
        orphan === undefined || send === undefined
          ? null
          : sealRemoteTask(app, keys.runKey, send.messageId, orphan),
      writeStep: await prepareStep(app, keys, number, {
        step,
        fence: lease.claimed.run.fence,
        ...(send && { told: toldOfRemote(send.remote, send.preparedAt) }),
      }),
    }),
    decide(run, now, { remoteTask }) {
      const until = now + app.settings.lease;
      const next = stepped(run, token, until, { number, spend: { bytes }, done: [callId] }, now);
      if (next === undefined || send === undefined || remoteTask === null) return next;
      const { messageId: sendId, remote } = send;
      return { ...next, ...withOrphan(next, { remote, sendId, operation: remoteTask }, now) };
    },
    write(tx, next, { writeStep }) {
      writeStep(tx, next);
      if (send !== undefined) tx.set(sendDoc(next.taskId, send.messageId), send);
    },
  });
  if (outcome.kind === 'unchanged') throw new SegmentOver(lease.signal.reason ?? 'lost');
  if (orphan !== undefined) await wakeUp(app, outcome.run, ['cancel-remote']);
  const limit = exceeded(outcome.run.spent, limits);
  return limit === undefined ? { kind: 'answered', step } : { kind: 'exceeded', limit };
}
