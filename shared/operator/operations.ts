import { z } from 'zod';
import { listRuns } from '../app/operators/list-runs.ts';
import { decideOperation } from './decide-operation.ts';
import { agentOperations } from './agent-operations.ts';
import { apiKeyOperations } from './api-key-operations.ts';
import { taken } from './failure.ts';
import { inboxOperation } from './inbox-operation.ts';
import { requireKnown } from './known-filters.ts';
import { givenInstant } from './instant.ts';
import { type Operation, operation, requireOperator } from './operation.ts';
import { runOperations } from './run-operations.ts';
import { rowOf } from './run-row.ts';
import { runPage } from './run-schemas.ts';
import { sendOperations } from './send-operations.ts';
import { statusOperation } from './status-operation.ts';
import { webhookOperations } from './webhook-operations.ts';

const about = operation({
  id: 'about',
  method: 'GET',
  path: '/',
  summary: 'What this is, and whether it is up.',
  right: 'none',
  answer: z.object({ service: z.string(), description: z.string() }),
  handle: () =>
    Promise.resolve({
      service: 'holdfast operator',
      description:
        'Runs, what they wait for, decisions and sends, for operators. See /openapi.json.',
    }),
});

const listQuery = z.strictObject({
  status: z.string().max(100).optional().meta({
    description:
      'as stored, or `open`, or `ended`; one that is unknown here and that no run has is refused',
  }),
  agent: z.string().max(100).optional(),
  context: z.string().max(300).optional(),
  since: givenInstant.optional().meta({ description: 'changed at or after this instant' }),
  waitingFor: z.enum(['unknown-send', 'blocked']).optional(),
  cursor: z.string().max(2_000).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

const list = operation({
  id: 'listRuns',
  method: 'GET',
  path: '/runs',
  summary: 'Runs of the agents that the operator has any right on, newest change first.',
  right: 'any',
  query: listQuery,
  answer: runPage,
  async handle(around, { query }) {
    const { app, caller } = around;
    const { agent, context, cursor, limit, since, status, waitingFor } = query;
    const page = taken(
      await listRuns(app, caller.rights, {
        limit,
        ...(agent !== undefined && { agent }),
        ...(context !== undefined && { context }),
        ...(cursor !== undefined && { cursor }),
        ...(since !== undefined && { since }),
        ...(status !== undefined && { status }),
        ...(waitingFor !== undefined && { waitingFor }),
      }),
    );
    if (page.runs.length === 0) await requireOperator(around);
    // A newer version's status and an agent of the past may still have runs.
    const nothing = page.runs.length === 0 && page.cursor === undefined && cursor === undefined;
    if (nothing) await requireKnown(around, query);
    return {
      runs: page.runs.map(rowOf),
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    };
  },
});

/** Every operation of the API. */
export const OPERATIONS: readonly Operation[] = [
  about,
  statusOperation,
  list,
  ...runOperations,
  inboxOperation,
  decideOperation,
  ...sendOperations,
  ...webhookOperations,
  ...agentOperations,
  ...apiKeyOperations,
];
