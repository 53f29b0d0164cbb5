import { isRefused, type Refused } from '../../domain/refusal.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { runDoc } from '../records/documents.ts';
import { notAllowed, type OperatorRefused, unknownRun } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { principalOfRun, runFor } from './seen-run.ts';

/**
 * Cancels any active run on an operator's word, as its owner's CancelTask would. Returns the run as
 * it is then.
 */
export async function cancelRun(
  app: App,
  operator: Operator,
  id: string,
): Promise<Run | Refused | OperatorRefused> {
  const seen = await runFor(app, operator.rights, id, 'cancel');
  if ('kind' in seen) return seen;
  const { run } = seen;
  if (run.status === 'unknown')
    return notAllowed('STATUS_UNKNOWN', 'a newer version wrote the status of this run');
  if (isEnded(run) && run.status !== 'cancelled')
    return notAllowed('RUN_ENDED', `the run has ended: it is ${run.status}`);
  const task = await cancelTask(app, principalOfRun(run), run.taskId, operator.subject);
  if (isRefused(task)) return task;
  return (await app.store.get(runDoc(run.taskId))) ?? unknownRun();
}
