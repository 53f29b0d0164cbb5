import { dueNow } from '../domain/obligations.ts';
import type { Run } from '../domain/run.ts';
import type { WakeUp } from '../ports/queue.ts';
import type { App } from './app.ts';
import { cancelRemote } from './cancel-remote.ts';
import { runDoc } from './documents.ts';
import { lookAtRemote } from './look-at-remote.ts';
import { timeOut } from './time-out.ts';
import { wakeUp } from './wake-up.ts';

/**
 * What a run that waits for a remote agent needs (architecture section 8). The row decides: a wake-up that comes twice, or for a
 * suspension that is over, finds nothing due.
 */
export async function coordinate(app: App, { kind, taskId }: WakeUp): Promise<void> {
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined) return;
  // A queue's clock is ahead of ours: said `done`, this wake-up would be lost until the next sweep.
  if (!isDue(app, run, kind)) return wakeUp(app, run, [kind]);
  if (kind === 'cancel-remote') return cancelRemote(app, run);
  if (run.status !== 'waiting_for_dependency') return;
  // Late is late: no look is worth the remote's answer any more.
  if (run.dependency.deadlineAt <= app.clock.now()) return timeOut(app, run);
  return lookAtRemote(app, run);
}

function isDue(app: App, run: Run, kind: WakeUp['kind']): boolean {
  return dueNow(run, app.clock.now()).some((obligation) => obligation.kind === kind);
}
