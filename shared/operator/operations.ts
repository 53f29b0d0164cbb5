import { z } from 'zod';
import { listRuns } from '../app/operators/list-runs.ts';
import { wordsOf } from '../app/operators/run-words.ts';
import { decideOperation } from './decide-operation.ts';
import { agentOperations } from './agent-operations.ts';
import { apiKeyOperations } from './api-key-operations.ts';
import { eventOperation } from './event-operation.ts';
import { doctorOperation } from './doctor-operation.ts';
import { taken } from './failure.ts';
import { findOperation } from './find-operation.ts';
import { costOperation } from './cost-operation.ts';
import { inboxOperation } from './inbox-operation.ts';
import { requireKnown } from './known-filters.ts';
import { liveOperation } from './live-operation.ts';
import { meOperation } from './me-operation.ts';
import { type Operation, operation, requireOperator } from './operation.ts';
import { fileOperations } from './file-operations.ts';
import { remoteOperations } from './remote-operations.ts';
import { filterOf, runListQuery } from './run-filter.ts';
import { runOperations } from './run-operations.ts';
import { rowOf } from './run-row.ts';
import { runPage } from './run-schemas.ts';
import { scheduleOperations } from './schedule-operations.ts';
import { sendOperations } from './send-operations.ts';
import { tryOperations } from './try-operations.ts';
import { playgroundOperations } from './playground-operations.ts';
import { statusOperation } from './status-operation.ts';
import { noticeOperations } from './notice-operations.ts';
import { auditOperation } from './audit-operation.ts';
import { trailOperation } from './trail-operation.ts';
import { throughputOperation } from './throughput-operation.ts';
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

const list = operation({
  id: 'listRuns',
  method: 'GET',
  path: '/runs',
  summary: 'Runs of the agents that the operator has any right on, newest change first.',
  right: 'any',
  query: runListQuery,
  answer: runPage,
  async handle(around, { query }) {
    const { agents, app, caller } = around;
    const { cursor, limit, order, sort, words } = query;
    const page = taken(
      await listRuns(app, caller.rights, {
        ...filterOf(query),
        agents,
        limit,
        order,
        sort,
        ...(cursor !== undefined && { cursor }),
      }),
    );
    if (page.runs.length === 0) await requireOperator(around);
    // A newer version's status and an agent of the past may still have runs.
    const nothing = page.runs.length === 0 && page.cursor === undefined && cursor === undefined;
    if (nothing) await requireKnown(around, query);
    const { runs, stoppedAfter, sortedAmong } = page;
    const said = words ? await wordsOf(app, runs) : undefined;
    return {
      runs: runs.map((each) => rowOf(each, app.settings, said?.get(each.run.taskId))),
      ...(page.cursor !== undefined && { cursor: page.cursor }),
      ...(stoppedAfter !== undefined && { stoppedAfter }),
      ...(sortedAmong !== undefined && { sortedAmong }),
    };
  },
});

/** Every operation of the API. */
export const OPERATIONS: readonly Operation[] = [
  about,
  meOperation,
  liveOperation,
  statusOperation,
  doctorOperation,
  list,
  findOperation,
  ...runOperations,
  trailOperation,
  ...fileOperations,
  costOperation,
  throughputOperation,
  auditOperation,
  inboxOperation,
  decideOperation,
  eventOperation,
  ...sendOperations,
  ...webhookOperations,
  ...noticeOperations,
  ...agentOperations,
  ...scheduleOperations,
  ...remoteOperations,
  ...tryOperations,
  ...playgroundOperations,
  ...apiKeyOperations,
];
