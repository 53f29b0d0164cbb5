import { z } from 'zod';
import { throughput, WINDOW_NAMES } from '../app/operators/throughput.ts';
import { type EndedRuns, OUTCOMES } from '../domain/ended-runs.ts';
import { countOf, type Histogram, percentile } from '../domain/histogram.ts';
import { component } from './components.ts';
import { instant, span } from './instant.ts';
import { operation, requireOperator } from './operation.ts';

const count = z.number().int();

/** Percentiles, to within a fifth. */
const spans = component(
  'Spans',
  z.object({ count, p50: span.optional(), p90: span.optional(), p99: span.optional() }),
);

const outcomes = z.object({
  completed: count,
  failed: count,
  cancelled: count,
  rejected: count,
});

export const throughputResponse = component(
  'Throughput',
  z.object({
    window: z.enum(WINDOW_NAMES),
    from: instant,
    to: instant,
    ended: outcomes.meta({ description: 'runs that ended in the window, by outcome' }),
    reasons: z
      .array(z.object({ reason: z.string(), count }))
      .meta({ description: 'of those that failed, the most frequent first' }),
    took: spans.meta({
      description:
        'milliseconds from the message to the end, of those that completed; waits for people included',
    }),
    waited: spans.meta({
      description: 'milliseconds for a worker: the longest such wait of each',
    }),
    length: span.meta({ description: 'of each stretch' }),
    stretches: z
      .array(outcomes.extend({ at: instant, took: spans }))
      .meta({ description: 'oldest first; the last is not over' }),
    behind: z.boolean().meta({ description: 'more ended just now than are counted yet' }),
  }),
);

export const throughputOperation = operation({
  id: 'throughput',
  method: 'GET',
  path: '/throughput',
  summary:
    'What ended in the last hour, day or week, in the whole installation: how, why, and how long it took.',
  right: 'any',
  query: z.strictObject({ window: z.enum(WINDOW_NAMES).default('1h') }),
  answer: throughputResponse,
  async handle(around, { query: { window } }) {
    // Numbers only, but not for callers who are no operators.
    await requireOperator(around);
    const found = await throughput(around.app, window);
    const { behind, from, length, stretches, to, total } = found;
    return {
      window,
      from,
      to,
      ended: outcomesOf(total),
      reasons: Object.entries(total.reasons)
        .map(([reason, count]) => ({ reason, count }))
        .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
      took: spansOf(total.took),
      waited: spansOf(total.waited),
      length,
      stretches: stretches.map((each) => ({
        at: each.at,
        ...outcomesOf(each),
        took: spansOf(each.took),
      })),
      behind,
    };
  },
});

function outcomesOf({ outcomes: counted }: EndedRuns): z.input<typeof outcomes> {
  const [completed = 0, failed = 0, cancelled = 0, rejected = 0] = OUTCOMES.map(
    (name) => counted[name],
  );
  return { completed, failed, cancelled, rejected };
}

function spansOf(histogram: Histogram): z.input<typeof spans> {
  const at = (percent: number) => percentile(histogram, percent);
  const [p50, p90, p99] = [at(50), at(90), at(99)];
  return {
    count: countOf(histogram),
    ...(p50 !== undefined && { p50 }),
    ...(p90 !== undefined && { p90 }),
    ...(p99 !== undefined && { p99 }),
  };
}
