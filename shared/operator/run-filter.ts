import { z } from 'zod';
import type { RunFilter } from '../app/operators/run-filter.ts';
import { ORDERS, SORTS } from '../app/operators/run-walk.ts';
import { givenInstant } from './instant.ts';

/**
 * Which runs are meant: the filter of the list, and of what is done to many runs at once. Values
 * that nothing has are refused by `requireKnown`.
 */
export const runFilter = z.strictObject({
  status: z.string().max(100).optional().meta({
    description:
      'as it is shown, or `open`, or `ended`; `queued` means those that wait for an event, a circuit or a time, too; one that is unknown here and that no run has is refused',
  }),
  agent: z.string().max(100).optional(),
  reason: z.string().max(100).optional().meta({
    description: 'why they failed, such as AGENT_FAILED; unknown ones are refused as above',
  }),
  caller: z.string().max(1_000).optional().meta({
    description: 'whose they are; of the published agents on which the operator may `view`',
  }),
  tenant: z.string().max(1_000).optional().meta({ description: 'of that caller' }),
  context: z.string().max(300).optional(),
  since: givenInstant.optional().meta({ description: 'changed at or after this instant' }),
  until: givenInstant.optional().meta({ description: 'changed before this instant' }),
  startedSince: givenInstant.optional().meta({ description: 'accepted at or after this instant' }),
  startedUntil: givenInstant.optional().meta({ description: 'accepted before this instant' }),
  minCost: z.coerce.number().min(0).optional().meta({
    description: 'cost so much or more, in millionths of the currency of the prices',
  }),
  waitingFor: z.enum(['unknown-send', 'blocked']).optional(),
});

/** The list: which runs, in which order, and which page of them. */
export const runListQuery = runFilter.extend({
  sort: z.enum(SORTS).default('changed').meta({
    description:
      '`changed`: newest change first; `started`: newest run first; `age`: oldest run first; `cost`: dearest first, without those that cost nothing; `status`: by status, in each newest change first',
  }),
  order: z.enum(ORDERS).default('desc').meta({ description: '`asc` turns the order round' }),
  words: z
    .enum(['true', 'false'])
    .default('false')
    .transform((given) => given === 'true')
    .meta({ description: 'with the words of progress and errors, where the operator may `view`' }),
  cursor: z.string().max(2_000).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

/** What was given of a filter, without what was not. */
export function filterOf(given: z.output<typeof runFilter>): RunFilter {
  const { agent, caller, context, minCost, reason, since, startedSince, startedUntil } = given;
  const { status, tenant, until, waitingFor } = given;
  return {
    ...(agent !== undefined && { agent }),
    ...(caller !== undefined && { caller }),
    ...(context !== undefined && { context }),
    ...(minCost !== undefined && { minCost }),
    ...(reason !== undefined && { reason }),
    ...(since !== undefined && { since }),
    ...(startedSince !== undefined && { startedSince }),
    ...(startedUntil !== undefined && { startedUntil }),
    ...(status !== undefined && { status }),
    ...(tenant !== undefined && { tenant }),
    ...(until !== undefined && { until }),
    ...(waitingFor !== undefined && { waitingFor }),
  };
}
