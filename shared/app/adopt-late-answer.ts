import { isEnded } from '../domain/run.ts';
import type { Operation } from '../domain/remote.ts';
import { lookAgain } from '../domain/waiting.ts';
import type { App } from './app.ts';
import { runDoc } from './documents.ts';
import { sealOperation } from './operation.ts';
import { type SendDoc, sendDoc } from './payload-documents.ts';
import { publishRun } from './publish-run.ts';
import { wakeUp } from './wake-up.ts';

/**
 * A remote acknowledged a message, and by then its sender had lost the run. A run that has ended has the remote task cancelled; one
 * that another worker suspended for the unknown outcome of this very send learns what it was.
 */
export async function adoptLateAnswer(
  app: App,
  taskId: string,
  send: SendDoc,
  operation: Operation,
): Promise<void> {
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined || run.status === 'purging') return;
  let sealed: Uint8Array = new Uint8Array();
  const outcome = await publishRun(
    app,
    run,
    undefined,
    (current, now) => {
      if (isEnded(current) && current.orphan === undefined) {
        const { messageId: sendId, remote } = send;
        return { ...current, orphan: { remote, sendId, operation: sealed, at: now, attempts: 0 } };
      }
      const waits =
        current.status === 'waiting_for_dependency' &&
        current.dependency.operation === null &&
        current.dependency.sendId === send.messageId;
      if (!waits) return undefined;
      return lookAgain(current, current.pauseGeneration, { operation: sealed });
    },
    undefined,
    (_payload, place) => {
      sealed = sealOperation(app, place, operation);
      return (tx) => tx.set(sendDoc(taskId, send.messageId), send);
    },
  );
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['poll', 'cancel-remote']);
}
