import type { Principal, TaskId } from '../../domain/ids.ts';
import { invalid, isRefused, type Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import type { WebhookTarget } from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { targetOf } from '../content/webhook-target.ts';
import { webhookDoc } from '../records/webhook-document.ts';
import { ownRun, unknownTask } from '../change/own-run.ts';
import type { ShownWebhook, WebhookPage } from '../service.ts';

/** A webhook as its caller sees it: what proves our word to it is never read back. */
export function shown(
  taskId: TaskId,
  id: string,
  { authentication, url }: WebhookTarget,
): ShownWebhook {
  const scheme = authentication === undefined ? {} : { scheme: authentication.scheme };
  return { kind: 'webhook', taskId, id, url, ...scheme };
}

/** GetTaskPushNotificationConfig. An unknown one is answered like an unknown task (G23). */
export async function getWebhook(
  app: App,
  principal: Principal,
  taskId: string,
  id?: string,
): Promise<ShownWebhook | Refused> {
  const run = await ownRun(app, principal, taskId);
  if (isRefused(run)) return run;
  const [found] = await load(app, run, [id ?? run.webhooks?.ids[0] ?? '']);
  return found ?? unknownTask();
}

/** ListTaskPushNotificationConfigs. The token of a page is the id of its last entry. */
export async function listWebhooks(
  app: App,
  principal: Principal,
  taskId: string,
  { pageSize = app.settings.pageSizeMax, pageToken = '' }: Paged,
): Promise<WebhookPage | Refused> {
  const run = await ownRun(app, principal, taskId);
  if (isRefused(run)) return run;
  const ids = run.webhooks?.ids ?? [];
  const from = pageToken === '' ? 0 : ids.indexOf(pageToken) + 1;
  if (pageToken !== '' && from === 0) return invalid('pageToken', 'is not one of this list');
  const page = ids.slice(from, from + pageSize);
  const more = from + page.length < ids.length;
  const webhooks = await load(app, run, page);
  return { kind: 'page', webhooks, nextPageToken: more ? (page.at(-1) ?? '') : '' };
}

interface Paged {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

/** Those of them that are there. */
async function load(app: App, run: Run, ids: readonly string[]): Promise<readonly ShownWebhook[]> {
  const known = ids.filter((id) => run.webhooks?.ids.includes(id) === true);
  const docs = await app.store.getAll(known.map((id) => webhookDoc(run.taskId, id)));
  return Promise.all(
    docs
      .filter((doc) => doc !== undefined)
      .map(async (doc) => shown(run.taskId, doc.webhook.id, await targetOf(app, run, doc))),
  );
}
