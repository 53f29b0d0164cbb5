import type { Parked } from '../../domain/webhook.ts';
import type { Run } from '../../domain/run.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { mergedPage } from '../records/merged-rows.ts';
import { readableWebhookCodec, type WebhookDoc } from '../records/webhook-document.ts';
import type { Rights } from './operator-rights.ts';

/** At most this many rows are read, the newest. */
const SCAN = 1_000;

/** A webhook that is told nothing more, and the run whose events it was told. */
export interface ParkedWebhook {
  readonly run: Run;
  readonly webhook: Parked;
}

export interface ParkedWebhooks {
  readonly webhooks: readonly ParkedWebhook[];
  /** There are more than are shown. */
  readonly more: boolean;
}

/**
 * What an operator knows one by: its run and its id. A run's id holds no dot, so the first one
 * parts them.
 */
export const webhookName = (taskId: string, id: string): string => `${taskId}.${id}`;

export function partsOfName(name: string): { readonly taskId: string; readonly id: string } {
  const dot = name.indexOf('.');
  return { taskId: name.slice(0, Math.max(dot, 0)), id: name.slice(dot + 1) };
}

/** Webhooks that were given up, newest first, of agents that this operator has any right on. */
export async function parkedWebhooks(
  app: App,
  rights: Rights,
  limit: number,
): Promise<ParkedWebhooks> {
  const { runs: shards } = await app.shards.toRead();
  const queries = Array.from({ length: shards }, (_, shard) => parkedIn(shard));
  const rows = await mergedPage(app.store, queries, SCAN);
  const found: ParkedWebhook[] = [];
  for (const { value } of rows) {
    if (value?.webhook.status !== 'parked') continue;
    const run = await app.store.get(runDoc(value.webhook.taskId));
    if (run === undefined || run.status === 'purging') continue;
    if ((await rights(run.agent)).size === 0) continue;
    if (found.length === limit) return { webhooks: found, more: true };
    found.push({ run, webhook: value.webhook });
  }
  return { webhooks: found, more: rows.length === SCAN };
}

const parkedIn = (shard: number): Query<WebhookDoc | undefined> => ({
  collection: 'webhooks',
  codec: readableWebhookCodec,
  filters: [{ field: 'shard', equals: shard }],
  order: { field: 'parkedAt', direction: 'desc' },
  // Those that are not parked have no such time.
  from: { value: 0, inclusive: true },
  limit: SCAN,
});
