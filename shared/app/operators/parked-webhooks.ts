import type { Millis } from '../../domain/brand.ts';
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
/** The count goes no further than this in each shard. */
const COUNTED = 100_000;

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

/** How many there are, whatever their agents, and the one that was given up first. */
export interface ParkedBacklog {
  readonly count: number;
  readonly oldest?: {
    readonly since: Millis;
    /** Only of a run that this operator may see. */
    readonly id?: string;
  };
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
  const queries = Array.from({ length: shards }, (_, shard) => parkedIn(shard, 'desc'));
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

/** Counted by an index; of the oldest one its row and its run are read. */
export async function parkedBacklog(app: App, rights: Rights): Promise<ParkedBacklog> {
  const { runs: shards } = await app.shards.toRead();
  const queries = Array.from({ length: shards }, (_, shard) => parkedIn(shard, 'asc'));
  const [counts, pages] = await Promise.all([
    Promise.all(queries.map((query) => app.store.count({ ...query, limit: COUNTED }))),
    Promise.all(queries.map((query) => app.store.page({ ...query, limit: 1 }))),
  ]);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const webhooks = pages
    .flat()
    .flatMap(({ value }) => (value?.webhook.status === 'parked' ? [value.webhook] : []));
  const [webhook] = webhooks.toSorted((a, b) => a.parkedAt - b.parkedAt);
  if (webhook === undefined) return { count };
  const run = await app.store.get(runDoc(webhook.taskId));
  const shown = run !== undefined && (await rights(run.agent)).size > 0;
  const id = webhookName(webhook.taskId, webhook.id);
  return { count, oldest: { since: webhook.parkedAt, ...(shown && { id }) } };
}

const parkedIn = (shard: number, direction: 'asc' | 'desc'): Query<WebhookDoc | undefined> => ({
  collection: 'webhooks',
  codec: readableWebhookCodec,
  filters: [{ field: 'shard', equals: shard }],
  order: { field: 'parkedAt', direction },
  // Those that are not parked have no such time.
  from: { value: 0, inclusive: true },
  limit: SCAN,
});
