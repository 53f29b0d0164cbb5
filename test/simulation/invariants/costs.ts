import type { App } from '../../../shared/app/app.ts';
import { countCosts } from '../../../shared/app/change/count-costs.ts';
import { costCodec } from '../../../shared/app/records/cost-document.ts';
import { NO_USE, plus, type Use } from '../../../shared/domain/model-use.ts';
import type { Millis } from '../../../shared/domain/brand.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { allRuns } from '../../../testing/rows.ts';
import type { World } from '../world.ts';

/**
 * The counters of costs have each turn of each run once, whatever became of the run, and also where
 * a process died while it was counted. The rows' own sums are those of their steps
 * (budgetIsWhatWasDone).
 */
export async function costsAreWhatWasUsed(world: World, app: App): Promise<string | undefined> {
  const { runs: shards } = await app.shards.toRead();
  const later = { ...app, clock: ahead(app.clock, world.options.skew) };
  for (let shard = 0; shard < shards; shard += 1) await countCosts(later, shard);
  const runs = allRuns(world.backend);
  const left = runs.find(({ uncounted }) => uncounted !== undefined);
  if (left !== undefined) return `${left.taskId} is not counted`;
  const counters = world.backend
    .all('costs')
    .map(({ fields, path }) => costCodec.decode(fields, path));
  const used = new Map<string, Use>();
  for (const { agent, models = [] } of runs)
    for (const use of models) add(used, `${agent} ${use.model}`, use);
  const counted = new Map<string, Use>();
  for (const counter of counters) add(counted, `${counter.agent} ${counter.model}`, counter);
  const names = new Set([...used.keys(), ...counted.keys()]);
  const wrong = [...names].find((name) => told(used.get(name)) !== told(counted.get(name)));
  if (wrong === undefined) return undefined;
  return `${wrong} used ${told(used.get(wrong))}, and ${told(counted.get(wrong))} is counted`;
}

/** What a clock that runs ahead has ended is to be counted by then, too. */
const ahead = (clock: Clock, span: Millis): Clock => ({
  now: () => clock.now() + span,
  sleep: (...given) => clock.sleep(...given),
  after: (...given) => clock.after(...given),
});

function add(sums: Map<string, Use>, name: string, use: Use): void {
  sums.set(name, plus(sums.get(name) ?? NO_USE, use));
}

const told = (use: Use = NO_USE): string => JSON.stringify(plus(NO_USE, use));
