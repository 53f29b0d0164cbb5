import type { Millis } from '../../domain/brand.ts';
import {
  type EndedRuns,
  NONE_ENDED,
  type Recent,
  startOfHour,
  startOfMinute,
  type Stretch,
  together,
} from '../../domain/ended-runs.ts';
import type { App } from '../app.ts';
import { recentlyEnded } from '../counters/count-ended.ts';

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;

/** How far it goes back, and how long each stretch of it is. */
const WINDOWS = {
  '1h': { count: 60, length: MINUTE },
  '24h': { count: 24, length: HOUR },
  '7d': { count: 7 * 24, length: HOUR },
} as const;
export type Window = keyof typeof WINDOWS;
export const WINDOW_NAMES = ['1h', '24h', '7d'] as const satisfies readonly Window[];

export interface Throughput {
  readonly from: Millis;
  readonly to: Millis;
  readonly length: Millis;
  readonly total: EndedRuns;
  /** Each stretch, oldest first, also those in which nothing ended; the last is not over. */
  readonly stretches: readonly Stretch[];
  /** So many ended in one moment that some are not counted yet. */
  readonly behind: boolean;
}

/** What ended lately, of all agents, because they share one installation: numbers only. */
export async function throughput(app: App, window: Window): Promise<Throughput> {
  const { count, length } = WINDOWS[window];
  const { runs: shards } = await app.shards.toRead();
  const all = await Promise.all(
    Array.from({ length: shards }, (_, shard) => recentlyEnded(app, shard)),
  );
  const to = app.clock.now();
  const last = length === MINUTE ? startOfMinute(to) : startOfHour(to);
  const from = last - (count - 1) * length;
  const found = all.flatMap(({ recent }) => partsOf(recent, length));
  const stretches = Array.from({ length: count }, (_, at) => {
    const begins = from + at * length;
    return { at: begins, ...sumOf(found.filter((each) => each.at === begins)) };
  });
  const behind = all.some((each) => each.behind);
  return { from, to, length, total: sumOf(stretches), stretches, behind };
}

const partsOf = ({ hours, minutes }: Recent, length: Millis): readonly Stretch[] =>
  length === MINUTE ? minutes : hours;

const sumOf = (all: readonly EndedRuns[]): EndedRuns => all.reduce(together, NONE_ENDED);
