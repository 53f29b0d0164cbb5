import { z } from 'zod';
import { readOverview } from '../app/operators/read-overview.ts';
import { component } from './components.ts';
import { instant, span } from './instant.ts';
import { operation, requireOperator } from './operation.ts';

const count = z.number().int();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** What a span is, and in how many parts it is told. */
const SPANS = {
  '1h': { span: HOUR, buckets: 30 },
  '24h': { span: 24 * HOUR, buckets: 24 },
  '7d': { span: 7 * 24 * HOUR, buckets: 28 },
} as const;

const quantiles = component('Quantiles', z.object({ count, p50: span, p90: span, p99: span }));

export const overview = component(
  'Overview',
  z.object({
    since: instant,
    until: instant,
    looked: count.meta({ description: 'rows' }),
    cut: z.boolean().meta({
      description: 'more changed than was looked at: `since` is where the look ended',
    }),
    buckets: z
      .array(
        z.object({
          at: instant,
          completed: count,
          failed: count,
          cancelled: count,
          rejected: count,
        }),
      )
      .meta({ description: 'how many runs ended in each of equal spans, oldest first' }),
    reasons: z
      .array(z.object({ reason: z.string(), count }))
      .meta({ description: 'why runs failed, the most frequent first' }),
    agents: z.array(
      z.object({
        agent: z.string(),
        ended: count,
        failed: count,
        whole: quantiles
          .optional()
          .meta({ description: 'from acceptance to the end, waits included' }),
        worked: quantiles.optional().meta({ description: 'what the segments of a run worked' }),
      }),
    ),
    queued: quantiles.optional().meta({
      description: 'of each segment, from being due to being claimed',
    }),
  }),
);

export const overviewOperation = operation({
  id: 'overview',
  method: 'GET',
  path: '/overview',
  summary:
    'What became of runs lately: how many ended and how, why they failed, how long they took; of the newest 2,000 that changed.',
  right: 'any',
  query: z.strictObject({ span: z.enum(['1h', '24h', '7d']).default('24h') }),
  answer: overview,
  async handle(around, { query }) {
    await requireOperator(around);
    const found = await readOverview(around.app, around.caller.rights, SPANS[query.span]);
    const { agents, buckets, reasons } = found;
    return { ...found, agents: [...agents], buckets: [...buckets], reasons: [...reasons] };
  },
});
