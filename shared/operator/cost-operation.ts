import { z } from 'zod';
import { COST_PARTS, type CostPart, costReport } from '../app/operators/cost-report.ts';
import { dayOf, startOf } from '../domain/model-use.ts';
import { component } from './components.ts';
import { fail } from './failure.ts';
import { requireKnown } from './known-filters.ts';
import { operation, requireOperator } from './operation.ts';
import { use } from './run-schemas.ts';

const WORDS = 'must be a day such as 2026-01-31';
const givenDay = z.iso
  .date({ error: WORDS })
  .transform((text) => dayOf(Date.parse(`${text}T00:00:00Z`)));

const parts = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(
    z.array(
      z.enum(COST_PARTS, {
        error: ({ input }) =>
          `${JSON.stringify(input)} is not known; it is one or more of ${COST_PARTS.join(', ')}`,
      }),
    ),
  );

const day = z.string().meta({ description: 'in UTC: 2026-01-31' });

export const costResponse = component(
  'Costs',
  z.object({
    from: day,
    to: day.meta({ description: 'included' }),
    by: z.array(z.enum(COST_PARTS)),
    rows: z.array(
      use.extend({
        day: day.optional(),
        agent: z.string().optional(),
        model: z.string().optional(),
        caller: z.string().optional().meta({
          description:
            'a hash of tenant and caller; only with the right `view`; empty where callers are anonymous',
        }),
        owner: z.string().optional().meta({
          description: 'who that is, if one of the 1,000 newest runs is theirs',
        }),
        tenant: z.string().optional(),
      }),
    ),
    total: use,
    stoppedAfter: z.number().int().optional().meta({
      description: 'only so many counters were read: ask for a shorter span',
    }),
  }),
);

/** A span without a beginning has so many days. */
const DAYS = 7;
const MOST = 400;

export const costOperation = operation({
  id: 'costs',
  method: 'GET',
  path: '/costs',
  summary:
    'Tokens and costs of models, of the agents that the operator has any right on, by day, agent, model and caller.',
  right: 'any',
  query: z.strictObject({
    from: givenDay.optional().meta({ description: 'seven days up to `to`, if it is not said' }),
    to: givenDay.optional().meta({ description: 'included; today, if it is not said' }),
    by: parts
      .optional()
      .meta({ description: 'day, agent, model, caller, or several: `by=day,model`; day' }),
    agent: z.string().max(100).optional(),
    model: z.string().max(1_000).optional(),
  }),
  answer: costResponse,
  async handle(around, { query }) {
    await requireOperator(around);
    const { app, caller } = around;
    const { agent, by = ['day'], model } = query;
    const to = query.to ?? dayOf(app.clock.now());
    const from = query.from ?? to - DAYS + 1;
    if (from > to) throw fail('INVALID_PARAMS', 'from: is after to', { field: 'from' });
    if (to - from >= MOST)
      throw fail('INVALID_PARAMS', `from: at most ${MOST} days at once`, { field: 'from' });
    const wanted: readonly CostPart[] = COST_PARTS.filter((part) => by.includes(part));
    const report = await costReport(app, caller.rights, {
      from,
      to,
      by: wanted,
      ...(agent !== undefined && { agent }),
      ...(model !== undefined && { model }),
    });
    if (report.rows.length === 0) await requireKnown(around, { agent });
    return {
      from: textOf(from),
      to: textOf(to),
      by: [...wanted],
      rows: report.rows.map(({ caller: whose, day: at, ...row }) => ({
        ...row,
        ...(at !== undefined && { day: textOf(at) }),
        ...(whose !== undefined && {
          caller: whose.id,
          ...(whose.owner !== undefined && { owner: whose.owner }),
          ...(whose.tenant !== undefined && { tenant: whose.tenant }),
        }),
      })),
      total: report.total,
      ...(report.stoppedAfter !== undefined && { stoppedAfter: report.stoppedAfter }),
    };
  },
});

const textOf = (at: number): string => new Date(startOf(at)).toISOString().slice(0, 10);
