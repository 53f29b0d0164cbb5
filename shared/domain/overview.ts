import type { Millis } from './brand.ts';
import type { AgentName } from './ids.ts';
import type { SegmentTimes } from './segment-times.ts';

export const OUTCOMES = ['completed', 'failed', 'cancelled', 'rejected'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** What an overview looks at, of a run. */
export interface RunFacts {
  readonly agent: AgentName;
  readonly status: string;
  readonly createdAt: Millis;
  readonly statusAt: Millis;
  readonly segments: readonly SegmentTimes[];
  readonly reason?: string;
}

/** Three of a hundred of the values, in order, none between two values. */
export interface Quantiles {
  readonly count: number;
  readonly p50: Millis;
  readonly p90: Millis;
  readonly p99: Millis;
}

export interface Overview {
  /** Equal spans, oldest first: how many runs ended in each, and how. */
  readonly buckets: readonly ({ readonly at: Millis } & Readonly<Record<Outcome, number>>)[];
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly agents: readonly {
    readonly agent: AgentName;
    readonly ended: number;
    readonly failed: number;
    /** From acceptance to the end, with all waits. */
    readonly whole?: Quantiles;
    /** What its segments worked in all. */
    readonly worked?: Quantiles;
  }[];
  /** Of each segment, from being due to being claimed. */
  readonly queued?: Quantiles;
}

/** What became of runs that ended in a span of time. */
export function overviewOf(
  runs: readonly RunFacts[],
  { buckets: count, since, until }: { since: Millis; until: Millis; buckets: number },
): Overview {
  const span = (until - since) / count;
  const ended = runs.filter(
    ({ status, statusAt }) =>
      OUTCOMES.some((each) => each === status) && statusAt >= since && statusAt < until,
  );
  const buckets = Array.from({ length: count }, (_, index) => ({
    at: since + index * span,
    ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])),
  })) as ({ at: Millis } & Record<Outcome, number>)[];
  for (const { status, statusAt } of ended) {
    const bucket = buckets[Math.floor((statusAt - since) / span)];
    const outcome = OUTCOMES.find((each) => each === status);
    if (bucket !== undefined && outcome !== undefined) bucket[outcome] += 1;
  }
  const failed = ended.flatMap(({ reason }) => reason ?? []);
  const reasons = [...Map.groupBy(failed, (reason) => reason)]
    .map(([reason, all]) => ({ reason, count: all.length }))
    .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason));
  const agents = [...Map.groupBy(ended, ({ agent }) => agent)]
    .map(([agent, all]) => ofAgent(agent, all))
    .toSorted((a, b) => b.ended - a.ended || a.agent.localeCompare(b.agent));
  const queued = quantilesOf(
    runs.flatMap(({ segments }) => segments.map(({ claimed, enqueued }) => claimed - enqueued)),
  );
  return { buckets, reasons, agents, ...(queued && { queued }) };
}

function ofAgent(agent: AgentName, runs: readonly RunFacts[]): Overview['agents'][number] {
  const whole = quantilesOf(runs.map(({ createdAt, statusAt }) => statusAt - createdAt));
  const worked = quantilesOf(runs.map(workedFor));
  return {
    agent,
    ended: runs.length,
    failed: runs.filter(({ status }) => status === 'failed').length,
    ...(whole && { whole }),
    ...(worked && { worked }),
  };
}

/** Of the segments that its row still has. */
function workedFor({ segments }: RunFacts): Millis {
  return segments.reduce(
    (sum, { claimed, committed }) => sum + (committed === undefined ? 0 : committed - claimed),
    0,
  );
}

/** Undefined of no value. */
function quantilesOf(values: readonly Millis[]): Quantiles | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.map((value) => Math.max(0, value)).toSorted((a, b) => a - b);
  const at = (share: number): Millis =>
    sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
