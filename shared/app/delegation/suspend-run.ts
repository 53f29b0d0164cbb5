import { declaredRemote } from '../../domain/blocked.ts';
import type { Dependency } from '../../domain/dependency.ts';
import type { RemoteTaskRef, Remote } from '../../domain/remote.ts';
import { suspend, waitsForSend } from '../../domain/waiting.ts';
import type { Delegated } from '../transcript.ts';
import type { App } from '../app.ts';
import { prepareCheckpoint } from '../content/checkpoint.ts';
import type { Lease } from '../segment/lease.ts';
import { unsealRemoteTask, sealRemoteTask } from '../content/remote-task-ref.ts';
import { pauseDoc, type SendDoc, sendDoc } from '../records/work-documents.ts';
import { firstPoll } from './poll-schedule.ts';
import { SegmentOver } from '../segments.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * running -> waiting_for_dependency, with the outcome of the send that it waits for in the same
 * commit: there is no moment at which a remote task is known and no run waits for it. No operation:
 * the outcome of the send is not known, and an operator decides, or the deadline (G10, G15); unless
 * the worker that sent it was late and has left the answer in the send by then.
 */
export async function suspendRun(
  app: App,
  lease: Lease,
  remote: Remote,
  send: SendDoc,
  remoteTask?: RemoteTaskRef,
): Promise<Delegated> {
  const { token } = lease.claimed;
  const { messageId } = send;
  const generation = lease.run.pauseGeneration + 1;
  const now = app.clock.now();
  const deadlineAt = Math.min(now + remote.deadline, lease.run.deadlineAt);
  const dependency: Omit<Dependency, 'operation'> = {
    remote: remote.name,
    sendId: messageId,
    nextPollAt: firstPoll(app, remote, now),
    deadlineAt,
    polls: 0,
    failures: 0,
  };
  const at = sendDoc(lease.run.taskId, messageId);
  const outcome = await lease.commit({
    seal: async ({ run, runKey, workKey }) => ({
      runKey,
      workKey,
      checkpoint: await prepareCheckpoint(app, workKey, {
        generation,
        kind: 'dependency',
        sendId: messageId,
        checkpoint: {
          callId: send.callId,
          dependency: { operation: remoteTask ?? null, deadlineAt },
          ...(run.files?.commit && { files: run.files.commit.id }),
        },
      }),
    }),
    async read(tx, _run, { runKey, workKey }) {
      const present = await tx.get(at);
      if (remoteTask !== undefined)
        return { sent: send, known: sealRemoteTask(app, runKey, messageId, remoteTask) };
      if (present?.operation === undefined) return { sent: send, known: null };
      const answered = unsealRemoteTask(workKey, messageId, present.operation);
      return { sent: present, known: sealRemoteTask(app, runKey, messageId, answered) };
    },
    decide: (run, now, { known }) =>
      suspend(run, token, { ...dependency, operation: known }, now, [
        { callId: send.callId, ...declaredRemote(remote) },
      ]),
    write(tx, next, { checkpoint, sent }) {
      tx.create(pauseDoc(next.taskId, generation), checkpoint);
      tx.set(at, sent);
    },
  });
  if (outcome.kind === 'unchanged') throw new SegmentOver(lease.signal.reason ?? 'lost');
  if (waitsForSend(outcome.run, messageId)) {
    // For a person: nothing sends it again (G15).
    app.log.write('warning', 'send outcome unknown', {
      task: lease.run.taskId,
      send: messageId,
      remote: remote.name,
    });
  }
  await wakeUp(app, outcome.run, ['poll', 'dependency-deadline']);
  return { kind: 'suspended' };
}
