import { type Orphan, withOrphans } from '../../domain/dependency.ts';
import { type Run, without } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { findOrphan, pauseBefore } from './find-orphan.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import { knownRemote } from '../agents.ts';
import { unsealRemoteTask } from '../content/remote-task-ref.ts';
import { sendDoc } from '../records/work-documents.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { wakeUp } from '../wake-up.ts';

/** A CancelTask that provably did not leave is tried this often. */
const TRIES = 5;

/**
 * Cancels remote tasks that no run waits for any more: each once (G17). The row forgets one, and
 * its send notes it, in the commit before CancelTask leaves; so a crash in between leaves a remote
 * task that runs to its own end, never a second CancelTask. The answer is noted and changes
 * nothing.
 */
export async function cancelRemote(app: App, run: Run): Promise<void> {
  const now = app.clock.now();
  for (const orphan of run.orphans ?? []) if (orphan.at <= now) await cancelOne(app, run, orphan);
}

async function cancelOne(app: App, run: Run, orphan: Orphan): Promise<void> {
  const { operation } = orphan;
  if (operation === null) return findOrphan(app, run, orphan);
  const remote = knownRemote(app.agents, run, orphan.remote);
  // Undefined: it is unknown which task it was.
  const remoteTask = await undefinedIfUnreadable(async () =>
    unsealRemoteTask(await runKeyOf(app, run), orphan.sendId, operation),
  );
  if (!(await begin(app, run, orphan))) return;
  if (remote === undefined || remoteTask === undefined) {
    const why = remote === undefined ? 'remote not declared' : 'task unreadable';
    return note(app, run.taskId, orphan, why);
  }
  const outcome = await app.remotes.cancel(remote, remoteTask);
  const answer = outcome.kind === 'answered' ? outcome.state : `${outcome.kind}: ${outcome.reason}`;
  await note(app, run.taskId, orphan, answer);
  if (outcome.kind === 'not_sent' && orphan.attempts + 1 < TRIES) await putBack(app, run, orphan);
}

/** False: another coordinator cancels it. */
async function begin(app: App, run: Run, orphan: Orphan): Promise<boolean> {
  const { sendId } = orphan;
  const at = sendDoc(run.taskId, sendId);
  const outcome = await changeRun(app, run.taskId, {
    read: async (tx) => ({ send: await tx.get(at) }),
    decide(current): Run | undefined {
      const present = current.orphans ?? [];
      const rest = present.filter((each) => each.sendId !== sendId || each.at !== orphan.at);
      if (rest.length === present.length) return undefined;
      return { ...without(current, 'orphans'), ...withOrphans(rest) } as Run;
    },
    write(tx, _next, { send }) {
      if (send !== undefined) tx.set(at, { ...send, cancelledAt: app.clock.now() });
    },
  });
  return outcome.kind === 'changed';
}

async function note(app: App, taskId: string, orphan: Orphan, answer: string): Promise<void> {
  const { remote, sendId } = orphan;
  app.log.write('info', 'remote task cancelled', { task: taskId, remote, outcome: answer });
  await app.store.transact(async (tx) => {
    const send = await tx.get(sendDoc(taskId, sendId));
    if (send !== undefined) tx.set(sendDoc(taskId, sendId), { ...send, cancelled: answer });
  });
}

/** Nothing left, so trying again is no second time. */
async function putBack(app: App, run: Run, orphan: Orphan): Promise<void> {
  const attempts = orphan.attempts + 1;
  const outcome = await changeRun(app, run.taskId, {
    decide(current, now) {
      // Sealed with a key that is gone, so it could not be unsealed.
      const rekeyed = current.scrubbedRevision !== run.scrubbedRevision;
      if (rekeyed || current.status === 'purging') return undefined;
      const at = now + pauseBefore(app, attempts);
      return { ...current, orphans: [...(current.orphans ?? []), { ...orphan, at, attempts }] };
    },
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['cancel-remote']);
}
