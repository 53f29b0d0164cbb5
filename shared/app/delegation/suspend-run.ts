import type { Dependency } from '../../domain/dependency.ts';
import type { RemoteTaskRef, Remote } from '../../domain/remote.ts';
import { suspend } from '../../domain/waiting.ts';
import type { Delegated } from '../agents.ts';
import type { App } from '../app.ts';
import { checkpointOf, prepareCheckpoint } from '../content/checkpoint.ts';
import type { Lease } from '../segment/lease.ts';
import { unsealRemoteTask, sealRemoteTask } from '../content/remote-task-ref.ts';
import { pauseDoc, type SendDoc, sendDoc } from '../records/work-documents.ts';
import { firstPoll } from './poll-schedule.ts';
import { SegmentOver } from '../segments.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * running -> waiting_for_dependency, with the send that it waits for settled in the same commit: there is no moment at which a
 * remote task is known and nobody waits for it. No operation: the outcome of the send is not known, and an operator decides, or the
 * deadline (G10, G15); unless the worker that sent it was late and has left the answer in the send by then.
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
  const known: { send: SendDoc; operation: Uint8Array | null } = { send, operation: null };
  const outcome = await lease.commit(
    undefined,
    (run, at) => suspend(run, token, { ...dependency, operation: known.operation }, at),
    async (workKey, runKey) => {
      const sealed = remoteTask === undefined ? null : sealRemoteTask(app, runKey, remoteTask);
      const doc = await prepareCheckpoint(app, workKey, generation, 'dependency', messageId, {
        ...checkpointOf(lease.run, send.callId),
        dependency: { operation: remoteTask ?? null, deadlineAt },
      });
      return {
        async prior(tx) {
          known.send = send;
          known.operation = sealed;
          const present = await tx.get(sendDoc(lease.run.taskId, messageId));
          if (sealed !== null || present?.operation === undefined) return;
          known.send = present;
          known.operation = sealRemoteTask(
            app,
            runKey,
            unsealRemoteTask(workKey, present.operation),
          );
        },
        also(tx, next) {
          tx.create(pauseDoc(next.taskId, generation), doc);
          tx.set(sendDoc(next.taskId, messageId), known.send);
        },
      };
    },
  );
  if (outcome.kind === 'unchanged') throw new SegmentOver(lease.signal.reason ?? 'lost');
  if (known.operation === null) {
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
