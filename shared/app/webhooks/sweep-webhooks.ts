import type { Millis } from '../../domain/brand.ts';
import { repeatsDue } from '../../domain/obligations.ts';
import { webhookDueAt } from '../../domain/webhook.ts';
import type { Cursor, Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { readableWebhookCodec, type WebhookDoc } from '../records/webhook-document.ts';
import { wakeUpFor } from './wake-up-for.ts';

const PAGE = 100;

/** Webhooks of one shard whose next attempt is due, earliest first. */
const dueWebhooks = (shard: number, until: Millis): Query<WebhookDoc | undefined> => ({
  collection: 'webhooks',
  codec: readableWebhookCodec,
  filters: [{ field: 'shard', equals: shard }],
  order: { field: 'dueAt', direction: 'asc' },
  to: { value: until, inclusive: true },
  limit: PAGE,
});

/**
 * Repeats the wake-ups of webhooks that were lost, or whose process was: each is a call to the
 * queue (G24). Returns how many rows it read.
 */
export async function sweepWebhooks(
  app: App,
  shard: number,
  until: Millis,
  signal?: AbortSignal,
): Promise<number> {
  let seen = 0;
  for (let after: Cursor | undefined; ; ) {
    if (signal?.aborted) return seen;
    const page = await app.store.page(dueWebhooks(shard, until), after);
    for (const { id, value } of page) {
      if (value === undefined) app.log.write('error', 'row not readable', { webhook: id });
      else await repeat(app, value);
    }
    seen += page.length;
    after = page.at(-1)?.cursor;
    if (page.length < PAGE) return seen;
  }
}

async function repeat(app: App, { webhook }: WebhookDoc): Promise<void> {
  const { cursor, id, taskId } = webhook;
  const at = webhookDueAt(webhook);
  if (at === null) return;
  const again = repeatsDue(at, app.clock.now(), app.settings.repeatAfter);
  await wakeUpFor(app, { taskId, revision: cursor }, id, { at, repeat: again });
}
