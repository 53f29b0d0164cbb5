import type { Principal } from '../../domain/ids.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { ownRun, unknownTask } from '../change/own-run.ts';
import type { NewWebhook, ShownWebhook } from '../service.ts';
import { wakeUpFor } from './wake-up-for.ts';
import { objectionTo } from './check-webhook.ts';
import { setUpWebhook } from './set-up-webhook.ts';
import { shown } from './read-webhooks.ts';

/**
 * CreateTaskPushNotificationConfig: from now on the webhook is told every event of the task. What
 * was shown before is not told; a task that has ended says nothing more.
 */
export async function createWebhook(
  app: App,
  principal: Principal,
  taskId: string,
  given: NewWebhook,
): Promise<ShownWebhook | Refused> {
  const run = await ownRun(app, principal, taskId);
  if (isRefused(run)) return run;
  const objection = await objectionTo(app, given);
  if (objection !== undefined) return objection;
  const setUp = setUpWebhook(app, run.taskId, given);
  const outcome = await changeRun(app, run, {
    seal: (keys) => ({ sealed: setUp.seal(keys) }),
    read: async (tx, current, { sealed }) => ({ found: await setUp.read(tx, current, sealed) }),
    stale: ({ found }) => found.otherKey,
    decide(current, _now, { sealed }) {
      if (current.status === 'purging') return undefined;
      return setUp.addTo(current, sealed);
    },
    write: (tx, _next, { found, sealed }) => setUp.write(tx, sealed, found),
  });
  if (outcome.kind === 'changed') {
    if (run.webhooks?.ids.includes(setUp.id) === true) await wakeUpFor(app, run, setUp.id);
    return shown(run.taskId, setUp.id, given);
  }
  const { run: current } = outcome;
  const gone = current === undefined || current.status === 'purging';
  return (gone ? undefined : setUp.objection(current, 'id')) ?? unknownTask();
}
