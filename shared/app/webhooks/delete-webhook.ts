import type { Principal } from '../../domain/ids.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import { type Run, without } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { ownRun } from '../change/own-run.ts';
import { webhookDoc } from '../records/webhook-document.ts';

/**
 * DeleteTaskPushNotificationConfig: its row goes, with its URL and secrets, and it is told nothing
 * more. Of one that is gone already the same is true.
 */
export async function deleteWebhook(
  app: App,
  principal: Principal,
  taskId: string,
  id: string,
): Promise<{ readonly kind: 'deleted' } | Refused> {
  const run = await ownRun(app, principal, taskId);
  if (isRefused(run)) return run;
  await changeRun(app, run.taskId, {
    decide: (current) => withoutWebhook(current, id),
    write: (tx) => tx.delete(webhookDoc(run.taskId, id)),
  });
  return { kind: 'deleted' };
}

/** With the last one goes the key of them all. */
function withoutWebhook(run: Run, id: string): Run | undefined {
  const { webhooks } = run;
  if (webhooks === undefined || !webhooks.ids.includes(id)) return undefined;
  const ids = webhooks.ids.filter((each) => each !== id);
  if (ids.length === 0) return without(run, 'webhooks') as Run;
  return { ...run, webhooks: { ...webhooks, ids } };
}
