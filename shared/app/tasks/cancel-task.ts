import type { Principal } from '../../domain/ids.ts';
import { isRefused, type Refused, refused } from '../../domain/refusal.ts';
import { stateOf } from '../../domain/run.ts';
import { cancel } from '../../domain/transitions.ts';
import type { Task } from '../../domain/task.ts';
import type { App } from '../app.ts';
import { afterEnd } from '../change/end-run.ts';
import { ownRun, unknownTask } from '../change/own-run.ts';
import { changeRun } from '../change/change-run.ts';
import { readTask } from './read-task.ts';

/**
 * CancelTask: cancels any active run, even one that a worker holds; the worker's next write finds
 * its claim gone, and it stops. Against a completion exactly one wins. Cancelling what is cancelled
 * answers the task again (A2A 3.1.5). Who did it is recorded only for an operator; otherwise it was
 * the owner.
 */
export async function cancelTask(
  app: App,
  principal: Principal,
  id: string,
  operator?: string,
): Promise<Task | Refused> {
  const run = await ownRun(app, principal, id);
  if (isRefused(run)) return run;
  const outcome = await changeRun(app, run, {
    publish: { status: {} },
    decide: cancel,
    ...(operator && { act: { kind: 'cancel', operator } }),
  });
  if (outcome.run === undefined) return unknownTask();
  if (outcome.run.status !== 'cancelled') {
    return refused(
      'TASK_NOT_CANCELABLE',
      `the task is ${stateOf(outcome.run)} and can't be canceled`,
    );
  }
  app.segments.stop(run.taskId, 'cancelled');
  await afterEnd(app, outcome);
  return readTask(app, principal, id, { atLeast: outcome.run.revision });
}
