import type { Json } from '../../domain/json.ts';
import type { App } from '../app.ts';
import { openSendFor, settled } from './open-send.ts';
import type { OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import type { SendDoc } from '../records/work-documents.ts';
import { remoteResult } from '../delegation/remote-result.ts';
import type { SendAnswer } from './resend-send.ts';
import { resolveDependency } from '../delegation/resolve-dependency.ts';

/** Gives up on a send whose outcome is not known: the run goes on, and its model is told just that (G15). */
export async function abandonSend(
  app: App,
  operator: Operator,
  name: string,
): Promise<SendAnswer | OperatorRefused> {
  const open = await openSendFor(app, operator.rights, name);
  if ('kind' in open) return open;
  const { run, send } = open;
  const { messageId } = send;
  const outcome = await resolveDependency(app, run, {
    resolution: 'abandoned',
    value: valueOf(send),
    send: 'abandoned',
    only: messageId,
    abandonedBy: operator.subject,
  });
  if (outcome.kind === 'unchanged') return settled();
  return { kind: 'answered', taskId: run.taskId, messageId, state: 'abandoned' };
}

/** Of a message that provably never left, that is what the model is told. */
function valueOf({ reason, remote, state }: SendDoc): Json {
  if (state !== 'not_sent') return remoteResult({ name: remote }, 'abandoned');
  return { agent: remote, status: state, ...(reason !== null && { reason }) };
}
