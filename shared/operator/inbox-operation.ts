import { z } from 'zod';
import { inbox } from '../app/operators/inbox.ts';
import { sendName } from '../app/operators/unresolved-send.ts';
import { askedJson } from './asked-schema.ts';
import { blockedOf } from './blocked-row.ts';
import { inboxResponse } from './inbox-schemas.ts';
import { operation, requireOperator } from './operation.ts';

export const inboxOperation = operation({
  id: 'inbox',
  method: 'GET',
  path: '/inbox',
  summary:
    'What waits for this operator, longest first: decisions and blocked runs (right `decide`), and sends whose outcome is not known (right `send`).',
  right: 'any',
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(50) }),
  answer: inboxResponse,
  async handle(around, { query }) {
    const { app, caller } = around;
    const { blocked, decisions, more, sends } = await inbox(app, caller.rights, query.limit);
    if (decisions.length + sends.length + blocked.length === 0) await requireOperator(around);
    return {
      decisions: decisions.map(({ asked, run }) => ({
        id: run.taskId,
        agent: run.agent,
        context: run.contextId,
        kind: run.status === 'waiting_for_approval' ? ('approval' as const) : ('input' as const),
        since: run.pausedAt,
        generation: run.pauseGeneration,
        ...(run.digest !== undefined && { digest: run.digest }),
        ...(asked !== undefined && { asked: askedJson(asked) }),
      })),
      sends: sends.map(({ run, send, state }) => ({
        id: sendName(run.taskId, send.messageId),
        run: run.taskId,
        agent: run.agent,
        remote: send.remote,
        state,
        ...(send.reason !== null && { reason: send.reason }),
        since: run.pausedAt,
        until: Math.min(run.dependency.deadlineAt, run.deadlineAt),
      })),
      blocked: blocked.flatMap((run) => {
        const why = blockedOf(run);
        if (why === undefined) return [];
        return [{ id: run.taskId, agent: run.agent, context: run.contextId, blocked: why }];
      }),
      more,
    };
  },
});
