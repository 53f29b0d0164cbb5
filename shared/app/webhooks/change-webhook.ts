import type { Millis } from '../../domain/brand.ts';
import type { Webhook } from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { viewDoc } from '../records/documents.ts';
import { type WebhookDoc, webhookDoc } from '../records/webhook-document.ts';

export interface WebhookPlace {
  readonly taskId: string;
  readonly id: string;
}

/**
 * Changes the row of a webhook; undefined: there is none, or `next` says no. The end of the journal
 * is read in the same transaction, so no event can come between a look at what is left to tell and
 * the commit. `next` must know its own commit: the body may run again. Throws Unavailable,
 * Contention.
 */
export function changeWebhook(
  app: App,
  { id, taskId }: WebhookPlace,
  next: (current: Webhook, now: Millis, lastSeq: number) => Webhook | undefined,
): Promise<WebhookDoc | undefined> {
  const at = webhookDoc(taskId, id);
  return app.store.transact(async (tx) => {
    const present = await tx.get(at);
    if (present === undefined) return undefined;
    const view = await tx.get(viewDoc(taskId));
    const webhook = next(present.webhook, app.clock.now(), view?.lastSeq ?? 0);
    if (webhook === undefined) return undefined;
    const changed = { ...present, webhook };
    if (webhook !== present.webhook) tx.set(at, changed);
    return changed;
  });
}
