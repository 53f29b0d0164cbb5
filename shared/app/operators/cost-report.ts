import { type Day, NO_USE, plus, type Use } from '../../domain/model-use.ts';
import { agentName } from '../../domain/ids.ts';
import type { Cursor } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { countCosts } from '../change/count-costs.ts';
import { callerKey, type CostDoc, costCodec, COSTS } from '../records/cost-document.ts';
import { tolerantCodec } from '../records/unreadable.ts';
import type { Rights } from './operator-rights.ts';
import { changedLegs } from './run-walk.ts';

/** What costs can be told apart by. */
export const COST_PARTS = ['day', 'agent', 'model', 'caller'] as const;
export type CostPart = (typeof COST_PARTS)[number];

export interface CostQuery {
  /** Days in UTC, both included. */
  readonly from: Day;
  readonly to: Day;
  readonly by: readonly CostPart[];
  readonly agent?: string;
  readonly model?: string;
}

/** The sum of what is alike in the parts that were asked for. */
export interface CostRow extends Use {
  readonly day?: Day;
  readonly agent?: string;
  readonly model?: string;
  /** Absent also where this operator may not know it. */
  readonly caller?: CostCaller;
}

export interface CostCaller {
  /** '' where callers can't be told apart. */
  readonly id: string;
  /** Absent when none of the newest runs says it. */
  readonly owner?: string;
  readonly tenant?: string;
}

export interface CostReport {
  /** By day, and the dearest first. */
  readonly rows: readonly CostRow[];
  readonly total: Use;
  /** There are more counters than were read: a shorter span has all of them. */
  readonly stoppedAfter?: number;
}

/** Counters that are read for one report. */
const READ = 20_000;
const PAGE = 500;
/** Runs of each shard that are counted first, so that a report has what was used a moment ago. */
const COUNTED = 100;
/**
 * Of the newest runs, for the names of callers: a counter outlasts its runs, and holds nothing of
 * them that could be traced to them. The others are shown by their ids.
 */
const LOOKED = 1_000;

const readable = tolerantCodec(costCodec);

/**
 * What models used and cost, of all runs of the agents that this operator has any right on, however
 * they ended and whether or not they are still kept; of a run that a worker holds, without what it
 * used in that segment. Whose it was needs the right `view` on the agent.
 */
export async function costReport(app: App, rights: Rights, asked: CostQuery): Promise<CostReport> {
  const { runs: shards } = await app.shards.toRead();
  await Promise.all(Array.from({ length: shards }, (_, shard) => countCosts(app, shard, COUNTED)));
  const sums = new Map<string, CostRow>();
  let total = NO_USE;
  let read = 0;
  let after: Cursor | undefined;
  do {
    const page = await app.store.page(counters(asked), after);
    for (const { value } of page) {
      if (value === undefined || !isAsked(value, asked)) continue;
      const agent = agentName(value.agent);
      const may = agent === undefined ? undefined : await rights(agent);
      if (may === undefined || may.size === 0) continue;
      const parts = partsOf(value, asked.by, may.has('view'));
      const key = JSON.stringify(parts);
      const sum = sums.get(key) ?? { ...parts, ...NO_USE };
      sums.set(key, { ...sum, ...plus(sum, value) });
      total = plus(total, value);
    }
    read += page.length;
    after = page.length === PAGE ? page.at(-1)?.cursor : undefined;
  } while (after !== undefined && read < READ);
  return {
    rows: (await named(app, [...sums.values()])).toSorted(inOrder),
    total,
    ...(after !== undefined && { stoppedAfter: read }),
  };
}

const counters = ({ from, to }: CostQuery) => ({
  collection: COSTS,
  codec: readable,
  filters: [],
  order: { field: 'day', direction: 'asc' } as const,
  from: { value: from, inclusive: true },
  to: { value: to, inclusive: true },
  limit: PAGE,
});

const isAsked = (counter: CostDoc, { agent, model }: CostQuery): boolean =>
  (agent === undefined || counter.agent === agent) &&
  (model === undefined || counter.model === model);

function partsOf(counter: CostDoc, by: readonly CostPart[], view: boolean): Partial<CostRow> {
  const { agent, caller, day, model } = counter;
  return {
    ...(by.includes('day') && { day }),
    ...(by.includes('agent') && { agent }),
    ...(by.includes('model') && { model }),
    ...(by.includes('caller') && view && { caller: { id: caller } }),
  };
}

/** With the names of callers, as far as one of the newest runs says them. */
async function named(app: App, rows: readonly CostRow[]): Promise<readonly CostRow[]> {
  const wanted = new Set(rows.flatMap(({ caller }) => caller?.id ?? []));
  wanted.delete('');
  if (wanted.size === 0) return rows;
  const names = new Map<string, Pick<CostCaller, 'owner' | 'tenant'>>();
  let looked = 0;
  const [newest] = changedLegs(app, {}, []);
  for await (const { value: run } of newest?.(PAGE) ?? []) {
    looked += 1;
    const id = run === undefined ? '' : callerKey(run);
    if (run !== undefined && wanted.delete(id)) {
      const { owner, tenant } = run;
      names.set(id, { owner, ...(tenant !== '' && { tenant }) });
    }
    if (wanted.size === 0 || looked === LOOKED) break;
  }
  return rows.map((row) =>
    row.caller === undefined
      ? row
      : { ...row, caller: { ...row.caller, ...names.get(row.caller.id) } },
  );
}

const inOrder = (a: CostRow, b: CostRow): number =>
  (a.day ?? 0) - (b.day ?? 0) || b.cost - a.cost || b.input + b.output - a.input - a.output;
