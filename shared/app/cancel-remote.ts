import type { Orphan } from '../domain/dependency.ts';
import { type Run, without } from '../domain/run.ts';
import type { App } from './app.ts';
import { changeRun } from './change-run.ts';
import { openOperation } from './operation.ts';
import { sendDoc } from './payload-documents.ts';
import { placeOfRun } from './place.ts';
import { knownRemote } from './known-remote.ts';
import { wakeUp } from './wake-up.ts';

/** A CancelTask that provably did not leave is tried this often. */
const TRIES = 5;

/**
 * Cancels a remote task that nobody waits for any more: once (G17). The row forgets it, and the send notes it, in the commit before
 * CancelTask leaves; so a crash in between leaves a remote task that runs to its own end, never a second CancelTask. The answer is
 * noted and changes nothing.
 */
export async function cancelRemote(app: App, run: Run): Promise<void> {
  const { orphan } = run;
  if (orphan === undefined) return;
  const remote = knownRemote(app, run, orphan.remote);
  const operation = openOperation(await placeOfRun(app, run), orphan.operation);
  if (!(await begin(app, run, orphan)) || remote === undefined) return;
  const outcome = await app.remotes.cancel(remote, operation);
  const answer = outcome.kind === 'answered' ? outcome.state : `${outcome.kind}: ${outcome.reason}`;
  app.log.write('info', 'remote task cancelled', {
    task: run.taskId,
    remote: remote.name,
    outcome: outcome.kind,
  });
  await note(app, run.taskId, orphan.sendId, answer);
  if (outcome.kind === 'not_sent' && orphan.attempts + 1 < TRIES) await putBack(app, run, orphan);
}

/** False: somebody else cancels it. */
async function begin(app: App, run: Run, orphan: Orphan): Promise<boolean> {
  const send = await app.store.get(sendDoc(run.taskId, orphan.sendId));
  const outcome = await changeRun(app, run.taskId, (current, now) => {
    const same = current.orphan?.sendId === orphan.sendId && current.orphan.at === orphan.at;
    if (!same) return undefined;
    return {
      next: without(current, 'orphan') as Run,
      ...(send !== undefined && {
        also: (tx) => tx.set(sendDoc(run.taskId, orphan.sendId), { ...send, cancelledAt: now }),
      }),
    };
  });
  return outcome.kind === 'changed';
}

async function note(app: App, taskId: string, sendId: string, answer: string): Promise<void> {
  await app.store.transact(async (tx) => {
    const send = await tx.get(sendDoc(taskId, sendId));
    if (send !== undefined) tx.set(sendDoc(taskId, sendId), { ...send, cancelled: answer });
  });
}

/** Nothing left, so trying again is no second time. */
async function putBack(app: App, run: Run, orphan: Orphan): Promise<void> {
  const attempts = orphan.attempts + 1;
  const outcome = await changeRun(app, run.taskId, (current, now) => {
    if (current.orphan !== undefined || current.status === 'purging') return undefined;
    const at = now + app.settings.pollMin * 2 ** attempts;
    return { next: { ...current, orphan: { ...orphan, at, attempts } } };
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['cancel-remote']);
}
