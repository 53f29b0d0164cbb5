import type { Millis } from '../../domain/brand.ts';
import { type DayUse, NO_USE, plus } from '../../domain/model-use.ts';
import { type Run, without } from '../../domain/run.ts';
import type { Cursor } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { callerKey, type CostDoc, costDoc } from '../records/cost-document.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { writableRun } from './writable-run.ts';

/** Runs that one transaction counts at most. */
const BATCH = 50;

/**
 * Moves what models did for the runs of one shard from their rows into the counters of costs: of
 * runs that no worker holds, so that nothing gets in its way. Counters and rows are one
 * transaction, so each turn is counted once, whenever this ends and however often it runs (decision
 * 0058). Answers how many were counted, `most` or a few more. Throws Unavailable, Contention.
 */
export async function countCosts(
  app: App,
  shard: number,
  most: number = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<number> {
  const until = app.clock.now();
  let counted = 0;
  let after: Cursor | undefined;
  do {
    if (signal?.aborted === true) return counted;
    const page = await app.store.page(uncountedRuns(shard, until), after);
    const known = page.flatMap(({ value }) => (value?.uncounted === undefined ? [] : [value]));
    await countRuns(
      app,
      known.map(({ taskId }) => taskId),
    );
    counted += known.length;
    // Rows that can't be counted stay where they are, and must not hide those behind them.
    after = page.length === BATCH ? page.at(-1)?.cursor : undefined;
  } while (after !== undefined && counted < most);
  return counted;
}

const uncountedRuns = (shard: number, until: Millis) => ({
  collection: 'runs',
  codec: readableRunCodec,
  filters: [{ field: 'shard', equals: shard }],
  order: { field: 'countAt', direction: 'asc' } as const,
  to: { value: until, inclusive: true },
  limit: BATCH,
});

/**
 * The same for these runs, whether or not a worker holds them: what one of them used is counted
 * before it goes.
 */
export async function countRuns(app: App, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return;
  const docs = taskIds.map(writableRun);
  // A body that runs again after it has committed finds rows without anything to count.
  await app.store.transact(async (tx) => {
    const found = await tx.getAll(docs);
    const runs = found.flatMap((run) => (run !== undefined && isCountable(run) ? [run] : []));
    const sums = new Map<string, CostDoc>();
    for (const run of runs) for (const use of run.uncounted) addTo(sums, run, use);
    const counters = [...sums.values()];
    const present = await tx.getAll(counters.map(costDoc));
    for (const run of runs) tx.set(writableRun(run.taskId), without(run, 'uncounted') as Run);
    for (const [at, sum] of counters.entries())
      tx.set(costDoc(sum), { ...sum, ...plus(present[at] ?? NO_USE, sum) });
  });
}

/** What a newer version wrote is not ours to change. */
const isCountable = (run: Run): run is Run & { readonly uncounted: readonly DayUse[] } =>
  run.uncounted !== undefined && run.status !== 'unknown';

function addTo(sums: Map<string, CostDoc>, run: Run, { day, model, ...use }: DayUse): void {
  const key = { day, agent: run.agent, model, caller: callerKey(run), shard: run.shard };
  const { path } = costDoc(key);
  const before = sums.get(path) ?? NO_USE;
  sums.set(path, { v: SCHEMA_VERSION, ...key, ...plus(before, use) });
}
