import { backoff } from '../../domain/backoff.ts';
import type { Millis } from '../../domain/brand.ts';
import { type Orphan, withOrphans } from '../../domain/dependency.ts';
import type { RemoteTaskRef } from '../../domain/remote.ts';
import { type Run, without } from '../../domain/run.ts';
import { knownRemote } from '../agents.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { sendDoc } from '../records/work-documents.ts';
import { wakeUp } from '../wake-up.ts';
import { adoptLateOutcome } from './adopt-late-outcome.ts';

/**
 * A task that is not there yet may come: its message can have been on its way. Over five minutes,
 * with growing pauses.
 */
const LOOKS = 6;

/** How long to wait before the next try at an orphan. */
export const pauseBefore = (app: App, attempts: number): Millis =>
  backoff({ first: app.settings.pollMin }, attempts + 1);

/**
 * A run ended, or went on, before it was known what had become of its message. Its task is looked
 * for in the context that was opened for that message alone: a read, which begins nothing. Exactly
 * one is the task that no run waits for, and is cancelled like any other; none after a few looks,
 * or several, are left as they are.
 */
export async function findOrphan(app: App, run: Run, orphan: Orphan): Promise<void> {
  const { remote: name, sendId } = orphan;
  const remote = knownRemote(app.agents, run, name);
  const send = await app.store.get(sendDoc(run.taskId, sendId));
  if (remote === undefined || send === undefined)
    return settle(app, run, orphan, 'remote not declared');
  const found = await app.remotes.find(remote, send.contextId);
  const [remoteTask, ...more] = found ?? [];
  if (remoteTask !== undefined && more.length === 0) return adopt(app, run, orphan, remoteTask);
  if (more.length > 0) return settle(app, run, orphan, 'not cancelled: several tasks found');
  if (orphan.attempts + 1 < LOOKS) return settle(app, run, orphan, undefined);
  const why = found === undefined ? 'the remote lists no tasks' : 'no task found';
  return settle(app, run, orphan, `not cancelled: ${why}`);
}

/** From here on it is a known task, and a late answer is told that the send is settled. */
async function adopt(app: App, run: Run, { remote, sendId }: Orphan, task: RemoteTaskRef) {
  const late = { state: 'acknowledged', reason: 'found', remoteTask: task } as const;
  await adoptLateOutcome(app, run.taskId, sendId, late);
  app.log.write('info', 'remote task found', { task: run.taskId, remote });
}

/** Looked for once more later; or not any more, and the send says why. */
async function settle(app: App, run: Run, orphan: Orphan, why: string | undefined): Promise<void> {
  const { attempts, remote, sendId } = orphan;
  const at = sendDoc(run.taskId, sendId);
  const outcome = await changeRun(app, run.taskId, {
    read: async (tx) => ({ send: why === undefined ? undefined : await tx.get(at) }),
    decide(current, now): Run | undefined {
      const present = current.orphans ?? [];
      const rest = present.filter((each) => each.sendId !== sendId || each.at !== orphan.at);
      if (rest.length === present.length || current.status === 'purging') return undefined;
      const later = now + pauseBefore(app, attempts + 1);
      const again = why === undefined ? [{ ...orphan, at: later, attempts: attempts + 1 }] : [];
      return { ...without(current, 'orphans'), ...withOrphans([...rest, ...again]) } as Run;
    },
    write(tx, _next, { send }) {
      if (why !== undefined && send !== undefined) tx.set(at, { ...send, cancelled: why });
    },
  });
  if (outcome.kind !== 'changed') return;
  if (why !== undefined)
    app.log.write('warning', 'remote task not cancelled', { task: run.taskId, remote, why });
  await wakeUp(app, outcome.run, ['cancel-remote']);
}
