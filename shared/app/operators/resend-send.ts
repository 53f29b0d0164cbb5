import type { Millis } from '../../domain/brand.ts';
import { add, exceeded } from '../../domain/budget.ts';
import { withOrphan } from '../../domain/dependency.ts';
import type { Part } from '../../domain/message.ts';
import type { Remote } from '../../domain/remote.ts';
import type { WaitingForDependency } from '../../domain/run.ts';
import { type SendIds, sendIds } from '../../domain/send.ts';
import { partBytes } from '../../domain/stored-content.ts';
import { sendAgain } from '../../domain/waiting.ts';
import type { SendOutcome } from '../../ports/remote-agents.ts';
import { adoptLateOutcome } from '../delegation/adopt-late-outcome.ts';
import type { App } from '../app.ts';
import { knownRemote, limitsOf } from '../agents.ts';
import { recordSendState } from '../delegation/record-send-state.ts';
import { unresolvedSendFor, type UnresolvedSend, alreadyResolved } from './unresolved-send.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { workKeyOf } from '../content/work-key.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { firstPoll } from '../delegation/poll-schedule.ts';
import { changeRun } from '../change/change-run.ts';
import { pushOf, writePush } from '../delegation/push-of.ts';
import { failureResult, replyResult } from '../delegation/remote-result.ts';
import { resolveDependency } from '../delegation/resolve-dependency.ts';
import { BUSY, mayLeaveAgain, unsealSend, prepareSend } from '../delegation/sends.ts';

/** What an operator's word on a send led to. */
export interface SendReport {
  readonly kind: 'answered';
  readonly taskId: string;
  /** The send that counts from now on. */
  readonly messageId: string;
  readonly state: SendDoc['state'];
  readonly reason?: string;
}

/** Bounds the walk over the ids of a send's successors; the budget ends it far earlier. */
const MOST = 1_000;

/**
 * Sends again what may or may not have arrived, because an operator says so: as a message of its
 * own, linked to the first (G15). The new send, the old one's end and the row that waits for the
 * new one are one commit before anything leaves; what comes of it is the next. A crash in between
 * leaves a send that was prepared, which is one with an unknown outcome. One that provably never
 * left goes out under its own id.
 */
export async function resendSend(
  app: App,
  operator: Operator,
  name: string,
): Promise<SendReport | OperatorRefused> {
  const unresolved = await unresolvedSendFor(app, operator.rights, name);
  if ('kind' in unresolved) return unresolved;
  const { run, send } = unresolved;
  const remote = knownRemote(app.agents, run, send.remote);
  const agent = app.agents.get(run.agent);
  if (remote === undefined || agent === undefined)
    return notAllowed('REMOTE_NOT_DECLARED', `the agent declares no remote ${send.remote}`);
  const { key: workKey } = await workKeyOf(app, run);
  const parts = await unsealSend(app, workKey, send);
  const again = mayLeaveAgain(send) ? undefined : sizeOf(parts);
  if (again !== undefined) {
    const spent = add(run.spent, { delegations: 1, bytes: again });
    const limit = exceeded(spent, limitsOf(app.settings, agent));
    if (limit !== undefined)
      return notAllowed(
        'BUDGET_EXCEEDED',
        `the run would pass its limit of ${limit.toLowerCase()}`,
      );
  }
  const ids = again === undefined ? own(send) : successor(run.taskId, send);
  const push = pushOf(app, remote);
  const fresh = { ids, callId: send.callId, remote: send.remote, parts, ...(push && { push }) };
  const prepared = await commit(app, operator.subject, unresolved, remote, fresh, again);
  if (prepared === undefined) return alreadyResolved();
  app.log.write('info', 'send resent', { task: run.taskId, remote: remote.name });
  const outcome = await app.remotes.send(remote, { ...ids, parts, ...(push && { push }) });
  app.metrics?.measure('holdfast.sends', 1, { remote: remote.name, outcome: outcome.kind });
  return record(app, prepared, remote, ids.messageId, outcome);
}

const own = ({ contextId, messageId }: SendDoc): SendIds => ({ contextId, messageId });

function successor(taskId: string, { callId, messageId }: SendDoc): SendIds {
  for (let again = 0; again < MOST; again += 1) {
    if (sendIds(taskId, callId, again).messageId === messageId)
      return sendIds(taskId, callId, again + 1);
  }
  throw new RangeError('no send of this call has that id');
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + partBytes(part), 0);
}

type Fresh = Omit<Parameters<typeof prepareSend>[3], 'replaces'>;

/** Undefined: another operator has resolved it meanwhile. */
async function commit(
  app: App,
  operator: string,
  { run, send }: UnresolvedSend,
  remote: Remote,
  fresh: Fresh,
  bytes: number | undefined,
): Promise<WaitingForDependency | undefined> {
  const { messageId } = send;
  const { ids, push } = fresh;
  const isNew = ids.messageId !== messageId;
  const replaces = isNew ? messageId : send.replaces;
  const at = sendDoc(run.taskId, messageId);
  const outcome = await changeRun(app, run, {
    seal: async ({ workKey }) => ({
      doc: await prepareSend(app, workKey, run, {
        ...fresh,
        ...(replaces !== null && { replaces }),
      }),
    }),
    act: { kind: 'resend', sendId: messageId, operator },
    read: async (tx) => ({ present: await tx.get(at) }),
    decide(current, now, { present }) {
      // Read in this transaction: of two operators one finds it as they both saw it.
      if (present?.state !== send.state || present.preparedAt !== send.preparedAt) return undefined;
      const next = { sendId: ids.messageId, nextPollAt: firstPoll(app, remote, now) };
      const again = sendAgain(current, run.pauseGeneration, messageId, next, bytes);
      if (again === undefined) return undefined;
      // No run waits any more for what may have come of the first message.
      const first = { remote: send.remote, sendId: messageId, operation: null };
      return isNew ? { ...again, ...withOrphan(again, first, now) } : again;
    },
    write(tx, { taskId }, { doc, present }) {
      tx.set(sendDoc(taskId, ids.messageId), doc);
      writePush(tx, push, { taskId, messageId: ids.messageId });
      if (isNew && present !== undefined) tx.set(at, supersede(app.clock.now(), present, ids));
    },
  });
  const row = outcome.run;
  return outcome.kind === 'changed' && row?.status === 'waiting_for_dependency' ? row : undefined;
}

function supersede(now: Millis, send: SendDoc, { messageId }: SendIds): SendDoc {
  return { ...send, state: 'superseded', settledAt: send.settledAt ?? now, replacedBy: messageId };
}

/** What the remote answered; the run may be elsewhere by now. */
async function record(
  app: App,
  run: WaitingForDependency,
  remote: Remote,
  messageId: string,
  outcome: SendOutcome,
): Promise<SendReport | OperatorRefused> {
  const { taskId } = run;
  const answered = (state: SendDoc['state'], reason?: string): SendReport => ({
    kind: 'answered',
    taskId,
    messageId,
    state,
    ...(reason !== undefined && { reason }),
  });
  switch (outcome.kind) {
    case 'acknowledged': {
      // A task that has ended already is looked at once more, which is due at once.
      const { ref: remoteTask } = outcome.task;
      await adoptLateOutcome(app, taskId, messageId, { state: 'acknowledged', remoteTask });
      return answered('acknowledged');
    }
    case 'replied': {
      const value = replyResult(remote, outcome.message.parts);
      const { bytes } = outcome;
      await resolveDependency(app, run, {
        resolution: 'completed',
        value,
        bytes,
        send: 'acknowledged',
        only: messageId,
      });
      return answered('acknowledged');
    }
    case 'refused': {
      if (outcome.reason === BUSY) {
        await recordSendState(app, taskId, messageId, 'refused', outcome.reason);
        return notAllowed(
          'REMOTE_NOT_REACHED',
          'the remote is busy and took nothing; try again later',
        );
      }
      await resolveDependency(app, run, {
        resolution: 'refused',
        value: failureResult(remote, 'refused', outcome),
        send: 'refused',
        reason: outcome.reason,
        only: messageId,
      });
      return answered('refused', outcome.reason);
    }
    case 'not_sent':
      await recordSendState(app, taskId, messageId, 'not_sent', outcome.reason);
      return notAllowed(
        'REMOTE_NOT_REACHED',
        `nothing was sent (${outcome.reason}); try again, or abandon it`,
      );
    case 'outcome_unknown':
      await recordSendState(app, taskId, messageId, 'outcome_unknown', outcome.reason);
      return answered('outcome_unknown', outcome.reason);
  }
}
