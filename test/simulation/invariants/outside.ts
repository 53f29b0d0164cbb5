import {
  decisionCodec,
  sendCodec,
  type SendDoc,
} from '../../../shared/app/records/work-documents.ts';
import { digestOf } from '../../../shared/app/delegation/sends.ts';
import type { Row } from '../../../shared/ports/backend.ts';
import { runOf } from '../../../testing/rows.ts';
import type { Effect, Received, Witness } from '../remote-world.ts';
import type { World } from '../world.ts';

/** What must be true in the very moment in which something arrives outside. */
export function witnessOf(world: World): Witness {
  const note = (problem: string | undefined): void => {
    if (problem !== undefined) world.record.complaints.push(problem);
  };
  return {
    received(message) {
      note(sendIsCommittedBefore(world, message));
      note(nothingIsSentTwice(world, message));
    },
    cancelled(taskId) {
      note(remoteIsCancelledOnce(world, taskId));
    },
    effect(effect) {
      note(effectIsAnnounced(world, effect));
      note(effectIsAllowed(world, effect));
    },
  };
}

const SEND = /^runs\/([^/]+)\/sends\/([^/]+)$/;

interface Noted {
  readonly taskId: string;
  readonly send: SendDoc;
}

/** Every state that a send has been in, oldest first. */
export function statesOf(world: World, messageId: string): readonly Noted[] {
  return world.record.commits.flatMap(({ changes }) =>
    changes.flatMap(({ path, after }) => {
      const [, taskId, id] = SEND.exec(path) ?? [];
      if (taskId === undefined || id !== messageId || after === undefined) return [];
      return { taskId, send: sendOf(after) };
    }),
  );
}

export function sendOf(row: Row): SendDoc {
  return sendCodec.decode(row.fields, row.path);
}

/** A message that is out there was committed first, with the digest of what it says (G14). */
function sendIsCommittedBefore(world: World, message: Received): string | undefined {
  const { messageId, contextId, remote, parts } = message;
  const digest = digestOf({ ids: { messageId, contextId }, remote, parts });
  const prepared = statesOf(world, messageId).some(
    ({ send }) => send.state === 'prepared' && send.digest === digest,
  );
  return prepared ? undefined : `sendIsCommittedBefore: ${messageId} left before its commit`;
}

/**
 * A call is one message, and arrives once, unless an operator had it sent again under another id
 * (G15).
 */
function nothingIsSentTwice(world: World, { messageId }: Received): string | undefined {
  const taken = world.outside.received.filter(({ refused }) => !refused);
  if (taken.some((earlier) => earlier.messageId === messageId))
    return `nothingIsSentTwice: ${messageId} arrived again`;
  const [noted] = statesOf(world, messageId);
  const twin = taken.find((earlier) => {
    const [other] = statesOf(world, earlier.messageId);
    if (other?.taskId !== noted?.taskId || other?.send.callId !== noted?.send.callId) return false;
    return other?.send.replaces === null && noted?.send.replaces === null;
  });
  return twin && `nothingIsSentTwice: ${messageId} and ${twin.messageId} are of one call`;
}

/** CancelTask leaves once for each remote task, and after the commit that says so (G17). */
function remoteIsCancelledOnce({ outside, record }: World, taskId: string): string | undefined {
  if (outside.cancels.includes(taskId)) return `remoteIsCancelledOnce: ${taskId} was cancelled`;
  const started = outside.received.find((message) => message.taskId === taskId);
  const announced = record.commits.some(({ changes }) =>
    changes.some(
      ({ path, after }) =>
        SEND.exec(path)?.[2] === started?.messageId &&
        after !== undefined &&
        sendOf(after).cancelledAt !== null,
    ),
  );
  return announced ? undefined : `remoteIsCancelledOnce: CancelTask of ${taskId} left unannounced`;
}

/** A tool that must not run twice runs once, and after the row said that it is about to. */
function effectIsAnnounced(world: World, { taskId, callId, once }: Effect): string | undefined {
  if (!once) return undefined;
  const again = world.outside.effects.some(
    (earlier) => earlier.taskId === taskId && earlier.callId === callId,
  );
  if (again) return `effectIsAnnounced: ${callId} of ${taskId} happened twice`;
  const said = world.record.commits.some(({ changes }) =>
    changes.some(({ path, after }) => path === `runs/${taskId}` && runOf(after)?.effect === callId),
  );
  return said ? undefined : `effectIsAnnounced: ${callId} of ${taskId} happened unannounced`;
}

/**
 * What a person must allow happens only after a decision that allows it was taken in, and each
 * allows one turn (G18).
 */
function effectIsAllowed(world: World, { taskId, callId, once }: Effect): string | undefined {
  const run = runOf(world.backend.peek(`runs/${taskId}`));
  if (!once || !run?.agent.startsWith('asks-leave')) return undefined;
  const turnOf = (call: string): string => call.split('-')[1] ?? '';
  const turns = new Set([turnOf(callId)]);
  for (const effect of world.outside.effects)
    if (effect.taskId === taskId && effect.once) turns.add(turnOf(effect.callId));
  const allowed = world.backend
    .all(`runs/${taskId}/decisions`)
    .map(({ path, fields }) => decisionCodec.decode(fields, path))
    .filter(({ kind, state }) => kind === 'approve' && state === 'consumed').length;
  return turns.size > allowed
    ? `effectIsAllowed: ${callId} of ${taskId} happened without being allowed`
    : undefined;
}
