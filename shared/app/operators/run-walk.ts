import { READS } from '../../domain/format.ts';
import { listedAs, scopeOf, type AgentName } from '../../domain/ids.ts';
import { type Run, RUN_STATUSES } from '../../domain/run.ts';
import type { Filter } from '../../ports/backend.ts';
import type { Cursor, Entry, Query, ReadDoc } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { mergedRows } from '../records/merged-rows.ts';
import { BLOCKED, readableRunCodec, UNKNOWN_SEND } from '../records/run-document.ts';
import { OPEN_STATUSES, type RunFilter, statusesOf } from './run-filter.ts';

/**
 * `changed`: the newest change first. `started`: the newest run first; `age`: the oldest. `cost`:
 * the dearest first, without runs that cost nothing. `status`: by status, in each as `changed`.
 */
export const SORTS = ['changed', 'started', 'age', 'cost', 'status'] as const;
export type Sort = (typeof SORTS)[number];

export const ORDERS = ['desc', 'asc'] as const;
export interface Sorting {
  readonly sort: Sort;
  /** `asc` turns the order round. */
  readonly order: (typeof ORDERS)[number];
}

type Rows = AsyncGenerator<Entry<Run | undefined>>;

/** One stretch of a list: rows in order, from a place on that they gave. */
export type Leg = (wanted: number, after?: Cursor) => Rows;

type Direction = 'asc' | 'desc';

/**
 * The legs that list the runs of a filter in the order that is asked for, each by one index
 * (docs/operator.md#what-to-know-of-the-lists). Undefined where no index has both: then the filter
 * leaves few rows, and they are sorted where they are read.
 */
export function legsOf(
  app: App,
  filter: RunFilter,
  { order, sort }: Sorting,
  agents: readonly AgentName[],
): readonly Leg[] | undefined {
  const down = order === 'desc';
  if (sort === 'changed') {
    if (down) return changedLegs(app, filter, agents);
    if (filter.caller !== undefined) return [callersLeg(app, filter, agents, 'asc')];
    if (leavesFew(filter)) return undefined;
    const statuses = statusesOf(filter) ?? RUN_STATUSES;
    return [runsLeg(app, statuses.map(equals('status')), filter, 'asc')];
  }
  if (leavesFew(filter) || isOpen(filter)) return undefined;
  if (sort === 'status') {
    const wanted = statusesOf(filter) ?? RUN_STATUSES;
    const statuses = down ? wanted : wanted.toReversed();
    return statuses.map((status) => runsLeg(app, [equals('status')(status)], filter, order));
  }
  if (sort === 'cost') return down ? [byOwnIndex(app, filter, 'cost', 'desc')] : undefined;
  return [byOwnIndex(app, filter, 'createdAt', (sort === 'age') === down ? 'asc' : 'desc')];
}

/** Newest change first, by the index that leaves the fewest rows. */
export function changedLegs(
  app: App,
  filter: RunFilter,
  agents: readonly AgentName[],
): readonly Leg[] {
  const { agent, context, reason, waitingFor } = filter;
  const by = (field: string, value: string): readonly Leg[] => [
    runsLeg(app, [equals(field)(value)], filter, 'desc'),
  ];
  if (context !== undefined) return by('contextId', context);
  if (filter.caller !== undefined) return [callersLeg(app, filter, agents, 'desc')];
  if (waitingFor !== undefined)
    return by('attention', waitingFor === 'blocked' ? BLOCKED : UNKNOWN_SEND);
  if (reason !== undefined) return by('reason', reason);
  const statuses = statusesOf(filter);
  if (statuses !== undefined) {
    const known = runsLeg(app, statuses.map(equals('status')), filter, 'desc');
    return filter.status === 'open' ? [known, unknownLeg(app, filter)] : [known];
  }
  return agent === undefined ? [runsLeg(app, [[]], filter, 'desc')] : by('agent', agent);
}

/** Few of all runs are meant, so that all of them can be looked at. */
const leavesFew = ({ caller, context, reason, waitingFor }: RunFilter): boolean =>
  caller !== undefined || context !== undefined || reason !== undefined || waitingFor !== undefined;

const isOpen = (filter: RunFilter): boolean =>
  statusesOf(filter)?.every((each) => (OPEN_STATUSES as readonly string[]).includes(each)) ?? false;

const equals =
  (field: string) =>
  (value: string): readonly Filter[] => [{ field, equals: value }];

/** The rows of all shards, and of each of these filters, as one list by their last change. */
function runsLeg(
  app: App,
  filters: readonly (readonly Filter[])[],
  { since, until }: RunFilter,
  direction: Direction,
): Leg {
  return async function* rows(wanted, after) {
    const query = {
      order: { field: 'statusAt', direction },
      ...(since !== undefined && { from: { value: since, inclusive: true } }),
      ...(until !== undefined && { to: { value: until, inclusive: false } }),
    };
    const queries = await inShards(app, query, filters);
    yield* mergedRows(app.store, queries, wanted, after);
  };
}

/** By what has an index of its own over all runs; everything else is sorted out on the way. */
function byOwnIndex(
  app: App,
  { minCost, startedSince, startedUntil }: RunFilter,
  field: 'createdAt' | 'cost',
  direction: Direction,
): Leg {
  return async function* rows(wanted, after) {
    const from = field === 'cost' ? minCost : startedSince;
    const query = {
      order: { field, direction },
      ...(from !== undefined && { from: { value: from, inclusive: true } }),
      ...(field === 'createdAt' &&
        startedUntil !== undefined && { to: { value: startedUntil, inclusive: false } }),
    };
    yield* mergedRows(app.store, await inShards(app, query, [[]]), wanted, after);
  };
}

type Ranged = Pick<Query<unknown>, 'order' | 'from' | 'to'>;

async function inShards(
  app: App,
  query: Ranged,
  filters: readonly (readonly Filter[])[],
): Promise<readonly Query<Run | undefined>[]> {
  const { runs } = await app.shards.toRead();
  return filters.flatMap((more) =>
    Array.from({ length: runs }, (_, shard) => ({
      ...query,
      collection: 'runs',
      codec: readableRunCodec,
      filters: [{ field: 'shard', equals: shard }, ...more],
      limit: 0,
    })),
  );
}

/**
 * A caller's tasks are listed by their views, which have an index for that; a run is shown as its
 * own row has it.
 */
function callersLeg(
  app: App,
  { caller: owner = '', since, tenant = '', until }: RunFilter,
  agents: readonly AgentName[],
  direction: Direction,
): Leg {
  return async function* rows(wanted, after) {
    const { lists } = await app.shards.toRead();
    const queries = agents.flatMap((agent) =>
      Array.from(
        { length: lists },
        (_, shard): Query<string> => ({
          collection: 'tasks',
          codec: { decode: (_fields, path) => path.slice(path.lastIndexOf('/') + 1) },
          filters: [{ field: 'scope', equals: listedAs(scopeOf({ agent, tenant, owner }), shard) }],
          order: { field: 'statusAt', direction },
          ...(since !== undefined && { from: { value: since, inclusive: true } }),
          ...(until !== undefined && { to: { value: until, inclusive: false } }),
          limit: 0,
        }),
      ),
    );
    let views: Entry<string>[] = [];
    for await (const view of mergedRows(app.store, queries, wanted, after)) {
      views.push(view);
      if (views.length < AHEAD) continue;
      yield* runsOf(app, views);
      views = [];
    }
    yield* runsOf(app, views);
  };
}

/** Runs of one caller that are read at once. */
const AHEAD = 50;

async function* runsOf(app: App, views: readonly Entry<string>[]): Rows {
  const docs = views.map(
    ({ id }): ReadDoc<Run | undefined> => ({ path: `runs/${id}`, codec: readableRunCodec }),
  );
  const runs = docs.length === 0 ? [] : await app.store.getAll(docs);
  for (const [at, { cursor, id }] of views.entries()) {
    const value = runs[at];
    // A view may outlast its run by a moment.
    if (value !== undefined) yield { id, cursor, value };
  }
}

/** Only so many of the newest changes are looked at for them. */
const LOOKED = 200;

/**
 * Open runs whose status only a newer version knows, where there may be any. No index finds them,
 * so they are looked for among the newest changes.
 */
function unknownLeg(app: App, filter: RunFilter): Leg {
  return async function* rows(_wanted, after) {
    const { format } = app;
    if (format !== undefined && !(await format.allows(READS + 1))) return;
    let looked = 0;
    for await (const entry of runsLeg(app, [[]], filter, 'desc')(LOOKED, after)) {
      const { value } = entry;
      if (value?.status === 'unknown') yield entry;
      looked += 1;
      if (looked === LOOKED) return;
    }
  };
}
