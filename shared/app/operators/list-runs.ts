import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import { compositeKey } from '../../domain/digest.ts';
import { agentName } from '../../domain/ids.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import { isBlocked, isEnded, type Run } from '../../domain/run.ts';
import type { Filter, Position } from '../../ports/backend.ts';
import type { Entry, Query } from '../../ports/store.ts';
import { decodeCursor, encodeCursor, tokenText } from '../../store/cursor.ts';
import type { App } from '../app.ts';
import type { Rights, Seen } from './operator-rights.ts';
import { mergedRows } from '../records/merged-rows.ts';
import { BLOCKED, readableRunCodec, UNKNOWN_SEND } from '../records/run-document.ts';

/**
 * At most this many rows are read for one page; then the cursor goes on, however few were found.
 */
const SCAN = 1_000;

export interface RunFilter {
  /** As stored, also one that this version does not know; `open` and `ended` name several. */
  readonly status?: string;
  readonly agent?: string;
  readonly context?: string;
  /** Changed at or after. */
  readonly since?: Millis;
  /** Runs whose message to a remote agent has an unknown outcome; runs that are blocked. */
  readonly waitingFor?: 'unknown-send' | 'blocked';
  readonly cursor?: string;
  readonly limit: number;
}

export interface RunPage {
  readonly kind: 'page';
  readonly runs: readonly Seen[];
  /** Absent at the end of the list. A page may be short, or empty, and have one. */
  readonly cursor?: string;
}

/**
 * Runs of every caller, newest change first, of agents that this operator has any right on. One
 * walk by one index; what that does not serve is sorted out here. A run that changes while an
 * operator pages comes first on a new list, and not on the rest of this one.
 */
export async function listRuns(
  app: App,
  rights: Rights,
  filter: RunFilter,
): Promise<RunPage | Refused> {
  const { cursor: token, limit, ...wanted } = filter;
  const digest = compositeKey(JSON.stringify(wanted));
  const after = token === undefined ? undefined : positionIn(token, digest);
  if (token !== undefined && after === undefined)
    return invalid('cursor', 'is not one that this list gave for the same filters');
  // Without any right nothing is read, so that not even the time that it takes reveals anything.
  if (wanted.agent !== undefined) {
    const agent = agentName(wanted.agent);
    if (agent === undefined || (await rights(agent)).size === 0) return { kind: 'page', runs: [] };
  }
  const runs: Seen[] = [];
  let place: string | undefined;
  let looked = 0;
  for await (const { id, cursor, value: run } of merged(app, filter, after)) {
    if (runs.length === limit || looked === SCAN)
      return { kind: 'page', runs, cursor: encodeWalk(place ?? cursor, digest) };
    looked += 1;
    place = cursor;
    if (run === undefined) app.log.write('error', 'row not readable', { task: id });
    if (run === undefined || !isWanted(run, filter)) continue;
    const may = await rights(run.agent);
    if (may.size > 0) runs.push({ run, may });
  }
  return { kind: 'page', runs };
}

function isWanted(run: Run, { agent, context, status, waitingFor }: RunFilter): boolean {
  if (run.status === 'purging') return false;
  if (agent !== undefined && run.agent !== agent) return false;
  if (context !== undefined && run.contextId !== context) return false;
  if (waitingFor === 'unknown-send' && !waitsForUnknownSend(run)) return false;
  if (waitingFor === 'blocked' && !isBlocked(run)) return false;
  if (status === undefined) return true;
  if (status === 'open') return !isEnded(run);
  return status === 'ended' ? isEnded(run) : storedStatus(run) === status;
}

export function waitsForUnknownSend(run: Run): boolean {
  return run.status === 'waiting_for_dependency' && run.dependency.operation === null;
}

/** The status as its row has it, also one that this version does not know. */
export function storedStatus(run: Run): string {
  return run.status === 'unknown' ? run.stored : run.status;
}

/** The filter that leaves the fewest rows, of those that an index serves. */
function byIndex({ agent, context, status, waitingFor }: RunFilter): readonly Filter[] {
  if (context !== undefined) return [{ field: 'contextId', equals: context }];
  if (waitingFor !== undefined) {
    const equals = waitingFor === 'blocked' ? BLOCKED : UNKNOWN_SEND;
    return [{ field: 'attention', equals }];
  }
  if (status !== undefined && status !== 'open' && status !== 'ended')
    return [{ field: 'status', equals: status }];
  return agent === undefined ? [] : [{ field: 'agent', equals: agent }];
}

/** The rows of all shards in one order. */
async function* merged(
  app: App,
  filter: RunFilter,
  after: Position | undefined,
): AsyncGenerator<Entry<Run | undefined>> {
  const { runs } = await app.shards.toRead();
  const queries = Array.from(
    { length: runs },
    (_, shard): Query<Run | undefined> => ({
      collection: 'runs',
      codec: readableRunCodec,
      filters: [{ field: 'shard', equals: shard }, ...byIndex(filter)],
      order: { field: 'statusAt', direction: 'desc' },
      ...(filter.since !== undefined && { from: { value: filter.since, inclusive: true } }),
      limit: 0,
    }),
  );
  yield* mergedRows(app.store, queries, filter.limit + 1, after && encodeCursor(after));
}

const walkSchema = z.object({ at: z.string(), filter: z.string() });

function encodeWalk(at: string, filter: string): string {
  return Buffer.from(JSON.stringify({ at, filter })).toString('base64url');
}

/** Undefined for what is no place in a list with these filters: it comes from a client. */
function positionIn(token: string, filter: string): Position | undefined {
  try {
    const parsed = walkSchema.safeParse(JSON.parse(tokenText(token)));
    if (!parsed.success || parsed.data.filter !== filter) return undefined;
    const position = decodeCursor(parsed.data.at);
    return typeof position?.value === 'number' ? position : undefined;
  } catch {
    return undefined;
  }
}
