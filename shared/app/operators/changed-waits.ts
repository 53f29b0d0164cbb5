import type { Change } from '../../domain/blocked.ts';
import { isBlocked, type Run } from '../../domain/run.ts';
import type { Filter } from '../../ports/backend.ts';
import { changesFor } from '../agents.ts';
import type { App } from '../app.ts';
import { BLOCKED, readableRunCodec } from '../records/run-document.ts';

/** At most this many rows of each shard and kind are read, the longest waits. */
const SCAN = 100;

const WAITING: readonly Filter[] = [
  { field: 'status', equals: 'waiting_for_approval' },
  { field: 'status', equals: 'waiting_for_input' },
  { field: 'status', equals: 'waiting_for_dependency' },
];
const BACK: Filter = { field: 'attention', equals: BLOCKED };

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
  const [blocked, ...waiting] = await Promise.all(
    [BACK, ...WAITING].map((kind) => read(app, kind)),
  );
  const back = (blocked ?? []).filter(({ status }) => status === 'queued').filter(isBlocked);
  return [
    ...back.map((run) => ({ run, changes: run.blocked?.changes ?? [] })),
    ...waiting.flat().map((run) => ({ run, changes: changesFor(app.agents, run) })),
  ]
    .filter(({ changes }) => changes.length > 0)
    .toSorted((a, b) => a.run.statusAt - b.run.statusAt);
}

async function read(app: App, kind: Filter): Promise<readonly Run[]> {
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
  return pages.flat().flatMap(({ value }) => value ?? []);
}
