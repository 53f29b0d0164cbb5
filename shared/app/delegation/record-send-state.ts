import type { SendState } from '../../domain/remote.ts';
import { waitsForSend } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { sendWithOutcome } from './sends.ts';

/** What is known of a prepared send that the run goes on waiting for. Nothing is noted where somebody else knew better by then. */
export async function recordSendState(
  app: App,
  taskId: string,
  messageId: string,
  state: Extract<SendState, 'refused' | 'not_sent' | 'outcome_unknown'>,
  reason: string,
): Promise<void> {
  let send: SendDoc | undefined;
  await changeRun(
    app,
    taskId,
    (current) => {
      const prepared = send?.state === 'prepared' ? send : undefined;
      if (prepared === undefined || !waitsForSend(current, messageId)) return undefined;
      return {
        next: current,
        also: (tx) =>
          tx.set(sendDoc(taskId, messageId), sendWithOutcome(app, prepared, state, reason)),
      };
    },
    undefined,
    async (tx) => {
      send = await tx.get(sendDoc(taskId, messageId));
    },
  );
}
