import type { SendState } from '../../domain/remote.ts';
import { waitsForSend } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { sendDoc } from '../records/work-documents.ts';
import { sendWithOutcome } from './sends.ts';

/**
 * What is known of a prepared send that the run goes on waiting for. Nothing is recorded if the
 * outcome is known by then.
 */
export async function recordSendState(
  app: App,
  taskId: string,
  messageId: string,
  state: Extract<SendState, 'refused' | 'not_sent' | 'outcome_unknown'>,
  reason: string,
): Promise<void> {
  const at = sendDoc(taskId, messageId);
  await changeRun(app, taskId, {
    read: async (tx) => ({ send: await tx.get(at) }),
    decide: (current, _now, { send }) =>
      send?.state === 'prepared' && waitsForSend(current, messageId) ? current : undefined,
    write(tx, _next, { send }) {
      if (send !== undefined) tx.set(at, sendWithOutcome(app, send, state, reason));
    },
  });
}
