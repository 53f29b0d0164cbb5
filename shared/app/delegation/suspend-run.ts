import type { Dependency } from '../../domain/dependency.ts';
import type { Operation, Remote } from '../../domain/remote.ts';
import { suspend } from '../../domain/waiting.ts';
import type { Delegated } from '../agents.ts';
import type { App } from '../app.ts';
import { checkpointOf, prepareCheckpoint } from '../content/checkpoint.ts';
import type { Hold } from '../segment/hold-run.ts';
import { openOperation, sealOperation } from '../content/operation.ts';
import { pauseDoc, type SendDoc, sendDoc } from '../records/payload-documents.ts';
import { firstLook } from './poll-schedule.ts';
import { SegmentOver } from '../segment/segment-over.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * running -> waiting_for_dependency, with the send that it waits for settled in the same commit: there is no moment at which a
 * remote task is known and nobody waits for it. No operation: the outcome of the send is not known, and an operator decides, or the
 * deadline (G10, G15); unless the worker that sent it was late and has left the answer in the send by then.
 */
export async function suspendRun(
  app: App,
  hold: Hold,
  remote: Remote,
  send: SendDoc,
  operation?: Operation,
): Promise<Delegated> {
  const { token } = hold.claimed;
  const { messageId } = send;
  const generation = hold.run.pauseGeneration + 1;
  const now = app.clock.now();
  const deadlineAt = Math.min(now + remote.deadline, hold.run.deadlineAt);
  const dependency: Omit<Dependency, 'operation'> = {
    remote: remote.name,
    sendId: messageId,
    nextPollAt: firstLook(app, remote, now),
    deadlineAt,
    polls: 0,
    failures: 0,
  };
  const known: { send: SendDoc; operation: Uint8Array | null } = { send, operation: null };
  const outcome = await hold.commit(
    undefined,
    (run, at) => suspend(run, token, { ...dependency, operation: known.operation }, at),
    async (payload, place) => {
      const sealed = operation === undefined ? null : sealOperation(app, place, operation);
      const doc = await prepareCheckpoint(app, payload, generation, 'dependency', messageId, {
        ...checkpointOf(hold.run, send.callId),
        dependency: { operation: operation ?? null, deadlineAt },
      });
      return {
        async prior(tx) {
          known.send = send;
          known.operation = sealed;
          const present = await tx.get(sendDoc(hold.run.taskId, messageId));
          if (sealed !== null || present?.operation === undefined) return;
          known.send = present;
          known.operation = sealOperation(app, place, openOperation(payload, present.operation));
        },
        also(tx, next) {
          tx.create(pauseDoc(next.taskId, generation), doc);
          tx.set(sendDoc(next.taskId, messageId), known.send);
        },
      };
    },
  );
  if (outcome.kind === 'unchanged') throw new SegmentOver(hold.signal.reason ?? 'lost');
  if (known.operation === null) {
    // For a person: nothing sends it again (G15).
    app.log.write('warning', 'send outcome unknown', {
      task: hold.run.taskId,
      send: messageId,
      remote: remote.name,
    });
  }
  await wakeUp(app, outcome.run, ['poll', 'dependency-deadline']);
  return { kind: 'suspended' };
}
