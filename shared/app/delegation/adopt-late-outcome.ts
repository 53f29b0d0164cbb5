import { withOrphan } from '../../domain/dependency.ts';
import type { Millis } from '../../domain/brand.ts';
import type { RemoteTaskRef, SendState } from '../../domain/remote.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import { isActive } from '../../domain/transitions.ts';
import { pollAgain, waitsForSend } from '../../domain/waiting.ts';
import { withOperatorAction } from '../content/operator-actions.ts';
import type { App } from '../app.ts';
import type { Changed, Unchanged } from '../change/change-run.ts';
import { runDoc } from '../records/documents.ts';
import { sealRemoteTask } from '../content/remote-task-ref.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { publishRun } from '../change/publish-run.ts';
import { sendWithOutcome } from './sends.ts';
import { wakeUp } from '../wake-up.ts';

/** What is known of a send after all. */
export interface LateOutcome {
  readonly state: Extract<SendState, 'acknowledged' | 'refused' | 'not_sent'>;
  readonly reason?: string;
  /** The task that the remote made of it. */
  readonly remoteTask?: RemoteTaskRef;
  /** The operator who found it: counts only for a run that waits for a word on this send, and so wants the task. */
  readonly linkedBy?: string;
}

/**
 * A remote answered, and by then the worker that had asked it had lost the run; or its task was found. A run that waits for this very
 * send learns what became of it; one that nobody has taken up yet finds it in the send; where nobody waits for it any more, the
 * remote task is cancelled. Of two answers to one send the first counts.
 */
export async function adoptLateOutcome(
  app: App,
  taskId: string,
  messageId: string,
  late: LateOutcome,
): Promise<Changed | Unchanged> {
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined) return { kind: 'unchanged', run };
  const { linkedBy, remoteTask, reason, state } = late;
  const found: { send?: SendDoc | undefined } = {};
  const sealed: { row?: Uint8Array; send?: Uint8Array } = {};
  const outcome = await publishRun(
    app,
    run,
    undefined,
    (current, now, runKey) => {
      // To link is to want the task: where it would be cancelled, somebody said something else first.
      if (linkedBy !== undefined && !waitsForSend(current, messageId)) return undefined;
      const next = found.send && adopted(current, found.send, sealed.row, now);
      if (next === undefined || linkedBy === undefined) return next;
      const act = { kind: 'link', sendId: messageId, operator: linkedBy } as const;
      return withOperatorAction(app, runKey, next, act, now);
    },
    undefined,
    (workKey, runKey) => {
      if (remoteTask !== undefined) {
        sealed.row = sealRemoteTask(app, runKey, remoteTask);
        sealed.send = sealRemoteTask(app, workKey, remoteTask);
      }
      return {
        async prior(tx) {
          found.send = await tx.get(sendDoc(taskId, messageId));
        },
        also(tx, next) {
          if (found.send === undefined) return;
          const send = sendWithOutcome(app, found.send, state, reason ?? null);
          // A run that has ended keeps nothing of what it worked with.
          const kept = isEnded(next) || sealed.send === undefined ? {} : { operation: sealed.send };
          tx.set(sendDoc(taskId, messageId), { ...send, ...kept });
        },
      };
    },
  );
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['poll', 'cancel-remote']);
  return outcome;
}

/** Undefined: it is known already, or nobody can use it. */
function adopted(
  run: Run,
  send: SendDoc,
  remoteTask: Uint8Array | undefined,
  now: Millis,
): Run | undefined {
  // Of a run that this version can't read, or that is being removed, nothing is known.
  if (!isActive(run) && !isEnded(run)) return undefined;
  if (send.state === 'acknowledged') return undefined;
  const { messageId: sendId, remote } = send;
  if (run.status === 'waiting_for_dependency' && run.dependency.sendId === sendId) {
    if (remoteTask === undefined || run.dependency.operation !== null) return undefined;
    // At once, and under another name than the poll that found it.
    return pollAgain(run, run.pauseGeneration, { operation: remoteTask, nextPollAt: now });
  }
  // Whoever takes the run up finds the send as it is then.
  if (isActive(run) && send.state === 'prepared') return run;
  if (remoteTask === undefined) return undefined;
  return { ...run, ...withOrphan(run, { remote, sendId, operation: remoteTask }, now) };
}
