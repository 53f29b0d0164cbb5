import { canonicalJson, type Json } from './json.ts';
import { derivedUuid } from './derived-id.ts';
import { sha256 } from './digest.ts';

/** How a send is identified at the remote. */
export interface SendIds {
  readonly messageId: string;
  /** Of this delegation alone, so that its task can be found when the answer is lost. */
  readonly contextId: string;
}

/**
 * Derived from what the send is for, so preparing it again leads to the same document. `again`
 * counts an operator's resends: each is a message of its own (G15).
 */
export function sendIds(taskId: string, callId: string, again = 0): SendIds {
  const name = JSON.stringify([taskId, callId, again]);
  return { messageId: derivedUuid(`message ${name}`), contextId: derivedUuid(`context ${name}`) };
}

/**
 * SHA-256 of a request: the same id and digest are the same operation, another digest under that id
 * is refused (G14).
 */
export function digestOfSend(ids: SendIds, remote: string, parts: Json): string {
  return sha256(canonicalJson([ids.messageId, ids.contextId, remote, parts]));
}
