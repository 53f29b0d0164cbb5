import { z } from 'zod';
import { parkedWebhooks, webhookName } from '../app/operators/parked-webhooks.ts';
import { redeliverWebhook } from '../app/operators/redeliver-webhook.ts';
import { taken } from './failure.ts';
import { operation, requireOperator } from './operation.ts';
import { parkedPage, redeliveredWebhook } from './webhook-schemas.ts';

export const webhookOperations = [
  operation({
    id: 'listParkedWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'Webhooks of callers that were given up, newest first: they are told nothing more.',
    right: 'any',
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(50) }),
    answer: parkedPage,
    async handle(around, { query }) {
      const { app, caller } = around;
      const { more, webhooks } = await parkedWebhooks(app, caller.rights, query.limit);
      if (webhooks.length === 0) await requireOperator(around);
      return {
        webhooks: webhooks.map(({ run, webhook }) => ({
          id: webhookName(webhook.taskId, webhook.id),
          run: webhook.taskId,
          agent: run.agent,
          reason: webhook.reason,
          failures: webhook.failures,
          after: webhook.cursor,
          since: webhook.parkedAt,
        })),
        more,
      };
    },
  }),
  operation({
    id: 'redeliver',
    method: 'POST',
    path: '/webhooks/{id}/redeliver',
    summary: 'Has a parked webhook told again, from the event on at which it was given up.',
    right: 'send',
    body: z.strictObject({}),
    answer: redeliveredWebhook,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_PARKED'],
    async handle({ app, caller }, { params }) {
      const { id, taskId } = taken(await redeliverWebhook(app, caller, params['id'] ?? ''));
      return { webhook: webhookName(taskId, id), run: taskId };
    },
  }),
];
