import type { Json } from '../../domain/json.ts';
import type { App } from '../app.ts';
import { unresolvedSendFor, alreadyResolved } from './unresolved-send.ts';
import type { OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import type { SendDoc } from '../records/work-documents.ts';
import { remoteResult } from '../delegation/remote-result.ts';
import type { SendReport } from './resend-send.ts';
import { resolveDependency } from '../delegation/resolve-dependency.ts';

/**
 * Gives up on a send whose outcome is not known: the run goes on, and its model is told just that
 * (G15).
 */
export async function abandonSend(
  app: App,
  operator: Operator,
  name: string,
): Promise<SendReport | OperatorRefused> {
  const unresolved = await unresolvedSendFor(app, operator.rights, name);
  if ('kind' in unresolved) return unresolved;
  const { run, send } = unresolved;
  const { messageId } = send;
  const outcome = await resolveDependency(app, run, {
    resolution: 'abandoned',
    value: valueOf(send),
    send: 'abandoned',
    only: messageId,
    abandonedBy: operator.subject,
    // What provably never left made no task that could be left alone.
    ...(send.state !== 'not_sent' && { cancel: true as const }),
  });
  if (outcome.kind === 'unchanged') return alreadyResolved();
  return { kind: 'answered', taskId: run.taskId, messageId, state: 'abandoned' };
}

/** If the message provably never left, the model is told so. */
function valueOf({ reason, remote, state }: SendDoc): Json {
  if (state !== 'not_sent') return remoteResult({ name: remote }, 'abandoned');
  return { agent: remote, status: state, ...(reason !== null && { reason }) };
}
