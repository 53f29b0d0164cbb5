import type { Millis } from '../../domain/brand.ts';
import {
  endOf,
  NOTHING_RECENT,
  type Outcome,
  OUTCOMES,
  type Recent,
  withEnded,
} from '../../domain/ended-runs.ts';
import type { Run } from '../../domain/run.ts';
import type { Entry } from '../../ports/store.ts';
import { decodeCursor, encodeCursor } from '../../store/cursor.ts';
import type { App } from '../app.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { type EndedDoc, endedDoc } from './ended-document.ts';

/** What is counted goes back no further. */
const SPAN: Millis = 7 * 24 * 60 * 60_000;
/**
 * A row has the time at which its transaction was decided, and is there when that has committed: so
 * long after a moment every row of that moment is taken to be there.
 */
const SETTLED: Millis = 30_000;
/** Where nothing has ended, the place is moved on this often, so that no look is long. */
const NOTED: Millis = 10 * 60_000;
/** Rows of each outcome that are counted at once. */
const BATCH = 500;

/**
 * Counts the runs of one shard that have ended since it last did, by an index that each row is in
 * anyway: nothing is written for a run (decision 0060). Throws Unavailable.
 */
export async function countEnded(app: App, shard: number): Promise<void> {
  const known = await app.store.get(endedDoc(shard));
  const until = app.clock.now() - SETTLED;
  const found = await newlyEnded(app, shard, known, until);
  if (found.rows.length === 0 && until - (known?.countedTo ?? 0) < NOTED) return;
  await app.store.transact(async (tx) => {
    const current = await tx.get(endedDoc(shard));
    if (current?.n !== known?.n) return;
    const { hours, minutes } = withRows(known, found.rows);
    tx.set(endedDoc(shard), {
      n: (known?.n ?? 0) + 1,
      minutes,
      hours,
      countedTo: until,
      upTo: found.upTo,
    });
  });
}

/**
 * The same, up to now and kept nowhere. `behind`: more have ended than are counted at once, which
 * the next sweeps will do.
 */
export async function recentlyEnded(
  app: App,
  shard: number,
): Promise<{ readonly recent: Recent; readonly behind: boolean }> {
  const known = await app.store.get(endedDoc(shard));
  const { behind, rows } = await newlyEnded(app, shard, known, app.clock.now());
  return { recent: withRows(known, rows), behind };
}

/** No id of a run is greater. */
const AFTER_ALL = '~';

interface Found {
  readonly rows: readonly Run[];
  readonly upTo: EndedDoc['upTo'];
  readonly behind: boolean;
}

async function newlyEnded(
  app: App,
  shard: number,
  known: EndedDoc | undefined,
  until: Millis,
): Promise<Found> {
  const pages = await Promise.all(
    OUTCOMES.map(async (outcome) => {
      const after = known?.upTo[outcome];
      const page = await app.store.page(ended(app, shard, outcome, until), after);
      return { outcome, page, after };
    }),
  );
  return {
    rows: pages.flatMap(({ after, page }) => page.flatMap((row) => newOf(row, after))),
    upTo: Object.fromEntries(
      pages.map(({ outcome, page }) => {
        const last = page.length === BATCH ? page.at(-1)?.cursor : undefined;
        return [outcome, last ?? encodeCursor({ value: until, id: AFTER_ALL })];
      }),
    ),
    behind: pages.some(({ page }) => page.length === BATCH),
  };
}

const ended = (app: App, shard: number, outcome: Outcome, until: Millis) => ({
  collection: 'runs',
  codec: readableRunCodec,
  filters: [
    { field: 'shard', equals: shard },
    { field: 'status', equals: outcome },
  ],
  order: { field: 'statusAt', direction: 'asc' } as const,
  from: { value: app.clock.now() - SPAN, inclusive: true },
  to: { value: until, inclusive: true },
  limit: BATCH,
});

/** What ended before the place was counted then, and has only been redacted since. */
function newOf({ value: run }: Entry<Run | undefined>, after: string | undefined): readonly Run[] {
  if (run === undefined) return [];
  const place = after === undefined ? undefined : decodeCursor(after)?.value;
  return typeof place === 'number' && endOf(run) < place ? [] : [run];
}

const withRows = (known: Recent | undefined, rows: readonly Run[]): Recent =>
  rows.reduce<Recent>(withEnded, known ?? NOTHING_RECENT);
