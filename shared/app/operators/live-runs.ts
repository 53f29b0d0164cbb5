import type { Millis } from '../../domain/brand.ts';
import type { TaskId } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { faultName } from '../wake-up.ts';
import { shownStatus } from './run-filter.ts';

/** A commit may become visible this long after the time that its row carries. */
const LATE: Millis = 5_000;
/** Rows of one look and shard; when more changed, the viewers are told to read their lists anew. */
const ROWS = 200;

/** What a viewer is told; `at` is the place that a later subscription goes on behind. */
export type LiveNews =
  | { readonly kind: 'runs'; readonly at: Millis; readonly runs: readonly Run[] }
  /** More changed than is told one by one. */
  | { readonly kind: 'reset'; readonly at: Millis }
  /** The store does not answer; what was shown may be old. */
  | { readonly kind: 'away'; readonly at: Millis };

/** Changes of runs as they become visible, whichever process wrote them. */
export interface LiveRuns {
  /**
   * News behind `after` (now, when absent), until the signal aborts. A run that changed twice
   * between two looks comes once, as it is then; one may come again unchanged.
   */
  follow(after: Millis | undefined, signal: AbortSignal): AsyncIterable<LiveNews>;
}

/**
 * One look at the index of changes for all viewers of a process, once in `liveInterval`, and none
 * while there is no viewer. A look is a query for each shard.
 */
export function createLiveRuns(app: App): LiveRuns {
  const viewers = new Set<(news: LiveNews) => void>();
  let looking = false;

  async function look(): Promise<void> {
    const seen = new Map<TaskId, string>();
    let horizon = app.clock.now();
    let away = false;
    while (viewers.size > 0) {
      await app.clock.sleep(app.settings.liveInterval);
      if (viewers.size === 0) break;
      const now = app.clock.now();
      const news = await newsSince(app, horizon - LATE, now);
      const back = away && news.kind !== 'away';
      away = news.kind === 'away';
      if (!away) horizon = now;
      const fresh = news.kind === 'runs' ? onlyNew(news.runs, seen) : [];
      if (news.kind === 'runs' && fresh.length === 0 && !back) continue;
      const told = news.kind === 'runs' ? { ...news, runs: fresh } : news;
      for (const tell of viewers) tell(back ? { kind: 'reset', at: now } : told);
    }
    looking = false;
  }

  return {
    async *follow(after, signal) {
      const waiting: LiveNews[] = [];
      let wake = (): void => undefined;
      const tell = (news: LiveNews): void => {
        // A viewer that does not keep up reads anew; it does not cost memory.
        if (waiting.length >= 20) waiting.splice(0, waiting.length, { kind: 'reset', at: news.at });
        else waiting.push(news);
        wake();
      };
      viewers.add(tell);
      const end = (): void => wake();
      signal.addEventListener('abort', end, { once: true });
      try {
        if (!looking) {
          looking = true;
          void look();
        }
        if (after !== undefined) yield await newsSince(app, after - LATE, app.clock.now());
        while (!signal.aborted) {
          const next = waiting.shift();
          if (next !== undefined) yield next;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      } finally {
        viewers.delete(tell);
        signal.removeEventListener('abort', end);
      }
    },
  };
}

async function newsSince(app: App, since: Millis, at: Millis): Promise<LiveNews> {
  try {
    const { runs: shards } = await app.shards.toRead();
    const pages = await Promise.all(
      Array.from({ length: shards }, (_, shard) => app.store.page(changedSince(shard, since))),
    );
    if (pages.some((page) => page.length === ROWS)) return { kind: 'reset', at };
    const runs = pages.flat().flatMap(({ value }) => value ?? []);
    return { kind: 'runs', at, runs: runs.toSorted((a, b) => a.statusAt - b.statusAt) };
  } catch (error) {
    app.log.write('warning', 'live view not fed', { fault: faultName(error) });
    return { kind: 'away', at };
  }
}

/** By the index of lists, newest first. */
function changedSince(shard: number, since: Millis): Query<Run | undefined> {
  return {
    collection: 'runs',
    codec: readableRunCodec,
    filters: [{ field: 'shard', equals: shard }],
    order: { field: 'statusAt', direction: 'desc' },
    from: { value: since, inclusive: true },
    limit: ROWS,
  };
}

/** Those that were not told before as they are; `seen` forgets what no later look can find. */
function onlyNew(runs: readonly Run[], seen: Map<TaskId, string>): readonly Run[] {
  const fresh = runs.filter((run) => seen.get(run.taskId) !== stamp(run));
  seen.clear();
  for (const run of runs) seen.set(run.taskId, stamp(run));
  return fresh;
}

const stamp = (run: Run): string => `${run.revision} ${shownStatus(run)} ${run.statusAt}`;
