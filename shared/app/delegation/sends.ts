import type { Item } from '../../domain/item.ts';
import type { Part } from '../../domain/message.ts';
import type { SendState } from '../../domain/remote.ts';
import type { Run } from '../../domain/run.ts';
import type { Outgoing } from '../../ports/remote-agents.ts';
import { digestOfSend, type SendIds } from '../../domain/send.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { boundSend } from '../content/bindings.ts';
import {
  itemsFromJson,
  itemToJson,
  loadItem,
  unsealFields,
  pack,
  sealFields,
  storeItems,
} from '../content/content.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { pushId } from './push-of.ts';
import type { SealingKey } from '../content/sealing-key.ts';

/** A send before it is in the journal. */
export interface NewSend {
  readonly ids: SendIds;
  readonly callId: string;
  readonly remote: string;
  readonly parts: readonly Part[];
  /** The send whose place it takes. */
  readonly replaces?: string;
  readonly push?: Outgoing['push'];
}

/** A refusal of a remote that only means "not now". */
export const BUSY = 'http 429';

/**
 * Only what provably did not leave, or was refused for the moment, may go out again under its id
 * (G15).
 */
export function mayLeaveAgain({ reason, state }: SendDoc): boolean {
  return state === 'not_sent' || (state === 'refused' && reason === BUSY);
}

/** The digest that a send is known by, together with its id (G14). */
export function digestOf({
  ids,
  remote,
  parts,
}: Pick<NewSend, 'ids' | 'remote' | 'parts'>): string {
  return digestOfSend(ids, remote, [itemToJson(messageItem(ids.messageId, parts))]);
}

/** The journal's row of a send, in the state `prepared`, with the request sealed. */
export async function prepareSend(
  app: App,
  workKey: SealingKey,
  run: Run,
  send: NewSend,
): Promise<SendDoc> {
  const { callId, ids, parts, push, remote, replaces } = send;
  const [item] = await storeItems(app, workKey, [messageItem(ids.messageId, parts)]);
  const content = { items: item === undefined ? [] : [itemToJson(item)] };
  const { path } = sendDoc(run.taskId, ids.messageId);
  const packed = await pack(app, workKey, content);
  const clear = {
    ...ids,
    owner: run.owner,
    remote,
    callId,
    digest: digestOf(send),
    preparedAt: app.clock.now(),
    replaces: replaces ?? null,
  };
  return {
    v: SCHEMA_VERSION,
    ...clear,
    state: 'prepared',
    reason: null,
    fence: run.fence,
    settledAt: null,
    replacedBy: null,
    cancelledAt: null,
    cancelled: null,
    ...(push !== undefined && { push: pushId(push.token) }),
    ...sealFields(app, workKey, path, packed, boundSend(clear)),
  };
}

/** What was sent. Throws Unreadable. */
export async function unsealSend(
  app: App,
  workKey: SealingKey,
  send: SendDoc,
): Promise<readonly Part[]> {
  const { path } = sendDoc(workKey.taskId, send.messageId);
  const content = await unsealFields(app, workKey, path, send, boundSend(send));
  const [item] = itemsFromJson(content['items'], path);
  const loaded = item && (await loadItem(app, workKey, item));
  if (loaded?.kind !== 'message') throw new Unreadable(path);
  return loaded.message.parts;
}

/** The same send in another state. */
export function sendWithOutcome(
  app: App,
  send: SendDoc,
  state: SendState,
  reason: string | null = null,
): SendDoc {
  return { ...send, state, reason, settledAt: app.clock.now() };
}

function messageItem(messageId: string, parts: readonly Part[]): Item {
  return { kind: 'message', message: { messageId, role: 'user', parts } };
}
