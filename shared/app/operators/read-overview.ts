import type { Millis } from '../../domain/brand.ts';
import { type Overview, overviewOf } from '../../domain/overview.ts';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { mergedRows } from '../records/merged-rows.ts';
import { readableRunCodec } from '../records/run-document.ts';
import type { Rights } from './operator-rights.ts';

/** At most so many rows are read, the newest changes first. */
const SCAN = 2_000;

export interface SeenOverview extends Overview {
  readonly since: Millis;
  readonly until: Millis;
  readonly looked: number;
  /** More changed in that span than were looked at; `since` is where the look ended. */
  readonly cut: boolean;
}

/** What became of the runs that changed in the last `span`, of agents that the operator may see. */
export async function readOverview(
  app: App,
  rights: Rights,
  { buckets, span }: { readonly span: Millis; readonly buckets: number },
): Promise<SeenOverview> {
  const until = app.clock.now() + 1;
  const runs: Run[] = [];
  let since = until - span;
  let looked = 0;
  for await (const { value: run } of changedSince(app, since)) {
    if (looked === SCAN) {
      since = runs.at(-1)?.statusAt ?? since;
      break;
    }
    looked += 1;
    if (run !== undefined && (await rights(run.agent)).size > 0) runs.push(run);
  }
  const cut = since !== until - span;
  return { ...overviewOf(runs, { since, until, buckets }), since, until, looked, cut };
}

async function* changedSince(app: App, since: Millis) {
  const { runs } = await app.shards.toRead();
  const queries = Array.from({ length: runs }, (_, shard) => ({
    collection: 'runs',
    codec: readableRunCodec,
    filters: [{ field: 'shard', equals: shard }],
    order: { field: 'statusAt', direction: 'desc' as const },
    from: { value: since, inclusive: true },
    limit: 0,
  }));
  yield* mergedRows(app.store, queries, 400);
}
