import { z } from 'zod';
import { compositeKey } from '../../domain/digest.ts';
import { type AgentName, agentName } from '../../domain/ids.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import { type Run, RUN_STATUSES } from '../../domain/run.ts';
import type { Entry } from '../../ports/store.ts';
import { decodeCursor, encodeCursor, tokenText } from '../../store/cursor.ts';
import type { App } from '../app.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Rights, Seen } from './operator-rights.ts';
import { isWanted, type RunFilter, storedStatus } from './run-filter.ts';
import { changedLegs, type Leg, legsOf, type Sort, type Sorting } from './run-walk.ts';

/**
 * At most this many rows are read for one page; then the cursor goes on, however few were found.
 * So many are sorted where no index does it.
 */
const SCAN = 1_000;

export interface RunList extends RunFilter, Partial<Sorting> {
  /** Those that are published: the tasks of a caller are looked for under each of them. */
  readonly agents?: readonly AgentName[];
  readonly cursor?: string;
  readonly limit: number;
}

export interface RunPage {
  readonly kind: 'page';
  readonly runs: readonly Seen[];
  /** Absent at the end of the list. A page may be short, or empty, and have one. */
  readonly cursor?: string;
  /** The page ended because so many rows were looked at, not because it was full. */
  readonly stoppedAfter?: number;
  /** No index has this order: these are the first among so many whose change is the newest. */
  readonly sortedAmong?: number;
}

/**
 * Runs of every caller of agents that this operator has any right on, newest change first unless
 * another order is asked for. One walk by one index; what that does not serve is sorted out here.
 * A run that changes while an operator pages comes first on a new list, and not on the rest of this
 * one.
 */
export async function listRuns(
  app: App,
  rights: Rights,
  list: RunList,
): Promise<RunPage | Refused | OperatorRefused> {
  const { agents: published = [], cursor: token, limit, ...asked } = list;
  const { order = 'desc', sort = 'changed', ...filter } = asked;
  const digest = compositeKey(JSON.stringify({ ...filter, order, sort }));
  const after = token === undefined ? undefined : placeIn(token, digest);
  if (token !== undefined && after === undefined)
    return invalid('cursor', 'is not one that this list gave for the same filters');
  // Without any right nothing is read, so that not even the time that it takes reveals anything.
  if (filter.agent !== undefined) {
    const agent = agentName(filter.agent);
    if (agent === undefined || (await rights(agent)).size === 0) return { kind: 'page', runs: [] };
  }
  const agents = filter.caller === undefined ? [] : await viewable(rights, filter, published);
  if (filter.caller !== undefined && agents.length === 0)
    return notAllowed('PERMISSION_DENIED', 'caller: this needs the right view on the agent');
  const found = { app, rights, filter, limit, digest };
  const legs = legsOf(app, filter, { order, sort }, agents);
  if (legs !== undefined) return pageOf(found, legs, after);
  return sortedPage(found, changedLegs(app, filter, agents), { order, sort }, after);
}

/** Agents of which this operator may know whose runs they are. */
async function viewable(
  rights: Rights,
  { agent }: RunFilter,
  published: readonly AgentName[],
): Promise<readonly AgentName[]> {
  const names = agent === undefined ? published : [agentName(agent)];
  const seen = await Promise.all(
    names.map(async (name) =>
      name !== undefined && (await rights(name)).has('view') ? [name] : [],
    ),
  );
  return seen.flat();
}

interface Wanted {
  readonly app: App;
  readonly rights: Rights;
  readonly filter: RunFilter;
  readonly limit: number;
  readonly digest: string;
}

type Place = z.infer<typeof placeSchema>;

async function pageOf(
  { app, digest, filter, limit, rights }: Wanted,
  legs: readonly Leg[],
  after: Place | undefined,
): Promise<RunPage> {
  const runs: Seen[] = [];
  let looked = 0;
  for (const [at, leg] of legs.entries()) {
    if (at < (after?.leg ?? 0)) continue;
    let place = at === after?.leg ? after.at : undefined;
    for await (const entry of leg(limit + 1, place)) {
      if (runs.length === limit || looked === SCAN) {
        const cursor = tokenOf({ leg: at, at: place, filter: digest });
        return { kind: 'page', runs, cursor, ...(runs.length < limit && { stoppedAfter: SCAN }) };
      }
      looked += 1;
      place = entry.cursor;
      const run = readable(app, entry);
      if (run === undefined || !isWanted(run, filter)) continue;
      const may = await rights(run.agent);
      if (may.size > 0) runs.push({ run, may });
    }
  }
  return { kind: 'page', runs };
}

/** A page of what few rows the filter leaves, in an order that no index has. */
async function sortedPage(
  { app, digest, filter, limit, rights }: Wanted,
  legs: readonly Leg[],
  { order, sort }: Sorting,
  after: Place | undefined,
): Promise<RunPage> {
  const all: { readonly place: string; readonly key: number; readonly seen: Seen }[] = [];
  let looked = 0;
  let more = false;
  for (const leg of legs)
    for await (const entry of leg(SCAN)) {
      more = looked === SCAN;
      if (more) break;
      looked += 1;
      const run = readable(app, entry);
      if (run === undefined || !isWanted(run, filter)) continue;
      const may = await rights(run.agent);
      const key = keyOf(run, sort) * (order === 'desc' ? 1 : -1);
      const place = encodeCursor({ value: key, id: run.taskId });
      if (may.size > 0) all.push({ place, key, seen: { run, may } });
    }
  all.sort((a, b) => b.key - a.key || (a.seen.run.taskId < b.seen.run.taskId ? 1 : -1));
  // The key and the id of the last one; it may have moved, or gone.
  const last = after?.at === undefined ? undefined : decodeCursor(after.at);
  const rest = all.filter(
    ({ key, seen }) =>
      last === undefined ||
      key < Number(last.value) ||
      (key === Number(last.value) && seen.run.taskId < last.id),
  );
  const page = rest.slice(0, limit);
  const end = page.at(-1)?.place;
  return {
    kind: 'page',
    runs: page.map(({ seen }) => seen),
    ...(rest.length > limit && { cursor: tokenOf({ leg: 0, at: end, filter: digest }) }),
    ...(more && { sortedAmong: SCAN }),
  };
}

/** What comes first has the greatest. */
function keyOf(run: Run, sort: Sort): number {
  switch (sort) {
    case 'changed':
      return run.statusAt;
    case 'started':
      return run.createdAt;
    case 'age':
      return -run.createdAt;
    case 'cost':
      return run.spent.cost;
    case 'status': {
      const known: readonly string[] = RUN_STATUSES;
      const rank = known.indexOf(storedStatus(run));
      return (known.length - rank) * LATEST + run.statusAt;
    }
  }
}

/** No time is later. */
const LATEST = 1e14;

function readable(app: App, { id, value }: Entry<Run | undefined>): Run | undefined {
  if (value === undefined) app.log.write('error', 'row not readable', { task: id });
  return value;
}

const placeSchema = z.object({
  /** Which stretch of the list. */
  leg: z.number().int().min(0),
  /** Behind which of its rows; absent at its beginning. */
  at: z.string().optional(),
  filter: z.string(),
});

function tokenOf(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Undefined for what is no place in a list with these filters: it comes from a client. */
function placeIn(token: string, filter: string): Place | undefined {
  try {
    const parsed = placeSchema.safeParse({ leg: 0, ...JSON.parse(tokenText(token)) });
    if (!parsed.success || parsed.data.filter !== filter) return undefined;
    const { at } = parsed.data;
    if (at !== undefined && typeof decodeCursor(at)?.value !== 'number') return undefined;
    return parsed.data;
  } catch {
    return undefined;
  }
}
