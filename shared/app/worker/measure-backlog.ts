import type { Run } from '../../domain/run.ts';
import type { Filter } from '../../ports/backend.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { mergedPage } from '../records/merged-rows.ts';
import { targetDoc } from '../records/notice-documents.ts';
import { BLOCKED, readableRunCodec, UNKNOWN_SEND } from '../records/run-document.ts';

/** Counts go no further than this in each shard. */
const COUNTED = 100_000;

const WAITS: readonly { readonly kind: string; readonly rows: Filter; readonly aged: boolean }[] = [
  { kind: 'approval', rows: { field: 'status', equals: 'waiting_for_approval' }, aged: true },
  { kind: 'input', rows: { field: 'status', equals: 'waiting_for_input' }, aged: true },
  { kind: 'dependency', rows: { field: 'status', equals: 'waiting_for_dependency' }, aged: true },
  { kind: 'unknown-send', rows: { field: 'attention', equals: UNKNOWN_SEND }, aged: false },
  { kind: 'blocked', rows: { field: 'attention', equals: BLOCKED }, aged: false },
];

/** What waits and what is parked, as counts and ages. Without metrics nothing is read. */
export async function measureBacklog(app: App): Promise<void> {
  const { metrics } = app;
  if (metrics === undefined) return;
  const { runs } = await app.shards.toRead();
  const shards = Array.from({ length: runs }, (_, equals): Filter => ({ field: 'shard', equals }));
  for (const { aged, kind, rows } of WAITS) {
    const counts = shards.map((shard) => countOf(app, 'runs', [shard, rows]));
    const count = (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
    metrics.measure('holdfast.waits', count, { kind });
    if (!aged) continue;
    const age = count === 0 ? 0 : await ageOf(app, shards, rows);
    metrics.measure('holdfast.waits.age', age / 1_000, { kind });
  }
  await measureParked(app, metrics, shards);
}

async function measureParked(app: App, metrics: Metrics, shards: readonly Filter[]): Promise<void> {
  const order = { field: 'parkedAt', direction: 'asc' } as const;
  const webhooks = shards.map((shard) => countOf(app, 'webhooks', [shard], order));
  const parked = (await Promise.all(webhooks)).reduce((sum, each) => sum + each, 0);
  metrics.measure('holdfast.webhooks.parked', parked);
  if (app.notices === undefined) return;
  const rows = await app.store.getAll(app.notices.targets.map(({ name }) => targetDoc(name)));
  const targets = rows.filter((row) => row?.delivery.status === 'parked');
  metrics.measure('holdfast.notices.parked', targets.length);
}

function countOf(
  app: App,
  collection: string,
  filters: readonly Filter[],
  order?: { readonly field: string; readonly direction: 'asc' },
): Promise<number> {
  return app.store.count({ collection, filters, order, limit: COUNTED });
}

/** Of the run whose newest change is the oldest. */
async function ageOf(app: App, shards: readonly Filter[], rows: Filter): Promise<number> {
  const queries = shards.map(
    (shard): Query<Run | undefined> => ({
      collection: 'runs',
      codec: readableRunCodec,
      filters: [shard, rows],
      order: { field: 'statusAt', direction: 'asc' },
      limit: 1,
    }),
  );
  const [oldest] = await mergedPage(app.store, queries, 1);
  const run = oldest?.value;
  if (run === undefined) return 0;
  return Math.max(0, app.clock.now() - ('pausedAt' in run ? run.pausedAt : run.statusAt));
}
