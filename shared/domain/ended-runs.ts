import type { Millis } from './brand.ts';
import { counted, type Histogram, merged } from './histogram.ts';
import type { Run } from './run.ts';

export const OUTCOMES = ['completed', 'failed', 'cancelled', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Runs that ended in one stretch of time. */
export interface EndedRuns {
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Of those that failed. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Of those that completed: from the message to the end, waits for people included. */
  readonly took: Histogram;
  /** The longest time that each waited for a worker. */
  readonly waited: Histogram;
}

/** Those of one stretch, which begins then. */
export interface Stretch extends EndedRuns {
  readonly at: Millis;
}

/** The newest stretches of each length, oldest first; those without a run are not there. */
export interface Recent {
  readonly minutes: readonly Stretch[];
  readonly hours: readonly Stretch[];
}

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
/** A little more than an hour, and than a week: what is shown never lacks its first stretch. */
const MINUTES = 90;
const HOURS = 170;

export const NONE_ENDED: EndedRuns = { outcomes: {}, reasons: {}, took: {}, waited: {} };
export const NOTHING_RECENT: Recent = { minutes: [], hours: [] };

export const startOfMinute = (at: Millis): Millis => Math.floor(at / MINUTE) * MINUTE;
export const startOfHour = (at: Millis): Millis => Math.floor(at / HOUR) * HOUR;

/** With one more that has ended. */
export function withEnded(recent: Recent, run: Run): Recent {
  const one = endedOf(run);
  if (one === undefined) return recent;
  const { ended, endedAt } = one;
  return {
    minutes: into(recent.minutes, startOfMinute(endedAt), ended).slice(-MINUTES),
    hours: into(recent.hours, startOfHour(endedAt), ended).slice(-HOURS),
  };
}

/** Any number of them, in any order, are one. */
export function together(a: EndedRuns, b: EndedRuns): EndedRuns {
  return {
    outcomes: merged(a.outcomes, b.outcomes),
    reasons: merged(a.reasons, b.reasons),
    took: merged(a.took, b.took),
    waited: merged(a.waited, b.waited),
  };
}

function into(all: readonly Stretch[], at: Millis, more: EndedRuns): readonly Stretch[] {
  const place = all.findLastIndex((each) => each.at <= at);
  const before = all[place];
  if (before?.at === at) return all.with(place, { at, ...together(before, more) });
  return all.toSpliced(place + 1, 0, { at, ...more });
}

/** When it ended: after that only its content may change, and then its row says a later time. */
export const endOf = ({ endedAt, statusAt }: Pick<Run, 'endedAt' | 'statusAt'>): Millis =>
  endedAt ?? statusAt;

function endedOf(run: Run): { readonly ended: EndedRuns; readonly endedAt: Millis } | undefined {
  const outcome = OUTCOMES.find((each) => each === run.status);
  if (outcome === undefined) return undefined;
  const endedAt = endOf(run);
  const waits = run.segments.map(({ claimed, enqueued }) => Math.max(0, claimed - enqueued));
  return {
    endedAt,
    ended: {
      outcomes: { [outcome]: 1 },
      reasons: run.status === 'failed' ? { [run.reason]: 1 } : {},
      took: outcome === 'completed' ? counted({}, Math.max(0, endedAt - run.createdAt)) : {},
      waited: waits.length > 0 ? counted({}, Math.max(...waits)) : {},
    },
  };
}
