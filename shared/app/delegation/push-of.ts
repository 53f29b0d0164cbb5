import { sha256 } from '../../domain/digest.ts';
import type { Remote } from '../../domain/remote.ts';
import type { Outgoing } from '../../ports/remote-agents.ts';
import type { Writes } from '../change/run-change.ts';
import type { App } from '../app.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { pushDoc } from '../records/work-documents.ts';

/** Below the base URL of the A2A function. */
export const PUSHES = '/pushes';

/**
 * Where a remote may tell us that its task changed; undefined where it is not asked to, or can't
 * reach us. The URL is the same for all, so no id of ours gets about; the token is new each time,
 * and only its hash is stored.
 */
export function pushOf(app: App, remote: Remote): Outgoing['push'] {
  if (!remote.push || app.baseUrl === undefined) return undefined;
  return { url: `${app.baseUrl.replace(/\/+$/, '')}${PUSHES}`, token: app.ids.token() };
}

/** What a token is known by. */
export const pushId = (token: string): string => sha256(`push ${token}`);

/**
 * With the send, in one commit. `before`: the id of an earlier token of this send, which no remote
 * was told.
 */
export function writePush(
  tx: Writes,
  push: Outgoing['push'],
  about: { readonly taskId: string; readonly messageId: string },
  before?: string,
): void {
  const id = push && pushId(push.token);
  if (before !== undefined && before !== id) tx.delete(pushDoc(before));
  if (push === undefined) return;
  const { messageId, taskId } = about;
  tx.set(pushDoc(pushId(push.token)), { v: SCHEMA_VERSION, taskId, messageId });
}
