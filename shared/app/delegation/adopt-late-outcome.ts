import { withOrphan, withOrphans } from '../../domain/dependency.ts';
import type { Millis } from '../../domain/brand.ts';
import type { RemoteTaskRef, SendState } from '../../domain/remote.ts';
import { isEnded, type Run, without } from '../../domain/run.ts';
import { isActive } from '../../domain/transitions.ts';
import { pollAgain, waitsForSend } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import type { Outcome } from '../change/run-change.ts';
import { runDoc } from '../records/documents.ts';
import { sealRemoteTask } from '../content/remote-task-ref.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { sendWithOutcome } from './sends.ts';
import { wakeUp } from '../wake-up.ts';

/** What is known of a send after all. */
export interface LateOutcome {
  readonly state: Extract<SendState, 'acknowledged' | 'refused' | 'not_sent'>;
  readonly reason?: string;
  /** The task that the remote made of it. */
  readonly remoteTask?: RemoteTaskRef;
  /**
   * The operator who found it: counts only for a run that waits for a word on this send, and so
   * wants the task.
   */
  readonly linkedBy?: string;
}

/**
 * A remote answered, and by then the worker that had asked it had lost the run; or its task was
 * found. A run that waits for this very send learns what became of it; one that no worker has taken
 * up yet finds it in the send; if no run waits for it any more, the remote task is cancelled. Of
 * two answers to one send the first counts.
 */
export async function adoptLateOutcome(
  app: App,
  taskId: string,
  messageId: string,
  late: LateOutcome,
): Promise<Outcome> {
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined) return { kind: 'unchanged', run };
  const { linkedBy, remoteTask, reason, state } = late;
  const at = sendDoc(taskId, messageId);
  const outcome = await changeRun(app, run, {
    seal: ({ runKey, workKey }) => ({
      ...(remoteTask && { remoteTask: sealRemoteTask(app, runKey, messageId, remoteTask) }),
      ...(remoteTask && { sentTask: sealRemoteTask(app, workKey, messageId, remoteTask) }),
    }),
    ...(linkedBy && { act: { kind: 'link', sendId: messageId, operator: linkedBy } }),
    read: async (tx) => ({ send: await tx.get(at) }),
    decide(current, now, found) {
      // To link is to want the task: if it would be cancelled, another operator's word came first.
      if (linkedBy !== undefined && !waitsForSend(current, messageId)) return undefined;
      return found.send && adopted(current, found.send, found.remoteTask, now);
    },
    write(tx, next, { send, sentTask }) {
      if (send === undefined) return;
      // A run that has ended keeps nothing of what it worked with.
      const kept = isEnded(next) || !sentTask ? {} : { operation: sentTask };
      tx.set(at, { ...sendWithOutcome(app, send, state, reason ?? null), ...kept });
    },
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['poll', 'cancel-remote']);
  return outcome;
}

/** Undefined: it is known already, or of no use. */
function adopted(
  run: Run,
  send: SendDoc,
  remoteTask: Uint8Array | undefined,
  now: Millis,
): Run | undefined {
  // Of a run that this version can't read, or that is being removed, nothing is known.
  if (!isActive(run) && !isEnded(run)) return undefined;
  const { messageId: sendId, remote } = send;
  const left = (run.orphans ?? []).filter((orphan) => orphan.sendId === sendId);
  const lookedFor = left.some(({ operation }) => operation === null);
  if (send.state === 'acknowledged' && !lookedFor) return undefined;
  if (run.status === 'waiting_for_dependency' && run.dependency.sendId === sendId) {
    if (remoteTask === undefined || run.dependency.operation !== null) return undefined;
    // At once, and under another name than the poll that found it.
    return pollAgain(run, run.pauseGeneration, { operation: remoteTask, nextPollAt: now });
  }
  // The worker that takes the run up finds the send as it is then.
  if (left.length === 0 && isActive(run) && send.state === 'prepared') return run;
  if (remoteTask === undefined) {
    if (left.length === 0) return undefined;
    // No task was made of it, so there is none to look for.
    const rest = (run.orphans ?? []).filter((orphan) => orphan.sendId !== sendId);
    return { ...without(run, 'orphans'), ...withOrphans(rest) } as Run;
  }
  return { ...run, ...withOrphan(run, { remote, sendId, operation: remoteTask }, now) };
}
