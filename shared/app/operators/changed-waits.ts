import type { Change } from '../../domain/blocked.ts';
import { isBlocked, type Run } from '../../domain/run.ts';
import type { Filter } from '../../ports/backend.ts';
import { changesFor } from '../agents.ts';
import type { App } from '../app.ts';
import { BLOCKED, readableRunCodec } from '../records/run-document.ts';

/** At most this many rows of each shard and kind are read, the longest waits. */
const SCAN = 100;

export const WAITING = [
  'waiting_for_approval',
  'waiting_for_input',
  'waiting_for_dependency',
] as const;
export type WaitingStatus = (typeof WAITING)[number];
const BACK: Filter = { field: 'attention', equals: BLOCKED };

/** The runs of one kind that wait longest, and how many there are, where all were read. */
export interface Read {
  readonly runs: readonly Run[];
  readonly count: number | undefined;
}

export interface Waits {
  readonly waiting: Readonly<Record<WaitingStatus, Read>>;
  /** The newest first: what came back from a wait and does not go on. */
  readonly blocked: Read;
}

/** A run, and what it can't go on with. */
export interface ChangedWait {
  readonly run: Run;
  readonly changes: readonly Change[];
}

/**
 * Runs that wait, or have waited and are blocked, because a tool, a remote or the agent itself is
 * gone or changed: longest first, and no further than each shard is read.
 */
export async function changedWaits(app: App): Promise<readonly ChangedWait[]> {
  return changedOf(app, await readWaits(app));
}

export function changedOf(app: App, { blocked, waiting }: Waits): readonly ChangedWait[] {
  const back = blocked.runs.filter(({ status }) => status === 'queued').filter(isBlocked);
  const runs = WAITING.flatMap((status) => waiting[status].runs);
  return [
    ...back.map((run) => ({ run, changes: run.blocked?.changes ?? [] })),
    ...runs.map((run) => ({ run, changes: changesFor(app.agents, run) })),
  ]
    .filter(({ changes }) => changes.length > 0)
    .toSorted((a, b) => a.run.statusAt - b.run.statusAt);
}

/** What an operator is told of waits comes of these rows: they are read once for all of it. */
export async function readWaits(app: App): Promise<Waits> {
  const of = (status: WaitingStatus) => read(app, { field: 'status', equals: status });
  const [approval, input, dependency, blocked] = await Promise.all([
    of('waiting_for_approval'),
    of('waiting_for_input'),
    of('waiting_for_dependency'),
    read(app, BACK),
  ]);
  return {
    waiting: {
      waiting_for_approval: approval,
      waiting_for_input: input,
      waiting_for_dependency: dependency,
    },
    blocked,
  };
}

async function read(app: App, kind: Filter): Promise<Read> {
  const { runs: shards } = await app.shards.toRead();
  const pages = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      app.store.page({
        collection: 'runs',
        codec: readableRunCodec,
        filters: [{ field: 'shard', equals: shard }, kind],
        order: { field: 'statusAt', direction: kind === BACK ? 'desc' : 'asc' },
        limit: SCAN,
      }),
    ),
  );
  const all = pages.every((page) => page.length < SCAN);
  return {
    runs: pages.flat().flatMap(({ value }) => value ?? []),
    count: all ? pages.reduce((sum, page) => sum + page.length, 0) : undefined,
  };
}
