import { z } from 'zod';
import { deliverEvent } from '../app/operators/deliver-event.ts';
import type { Json } from '../domain/json.ts';
import { taken } from './failure.ts';
import { eventReceipt } from './event-schema.ts';
import { operation } from './operation.ts';

export const eventOperation = operation({
  id: 'deliverEvent',
  method: 'POST',
  path: '/runs/{id}/events',
  summary: 'Delivers an event to a run whose function waits for one of that name, or will.',
  right: 'decide',
  body: z.strictObject({
    name: z.string().min(1).max(64),
    data: z.unknown().optional().meta({ description: 'JSON that fits its schema; null if absent' }),
    id: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters, without spaces')
      .optional()
      .meta({
        description: 'repeated under the same id it is the same event, and counts once',
      }),
  }),
  answer: eventReceipt,
  errors: ['RUN_NOT_FOUND', 'RUN_ENDED', 'TASK_TOO_LARGE', 'EVENTS_NOT_YET', 'STATUS_UNKNOWN'],
  async handle({ app, caller }, { body, params }) {
    const { data = null, id, name } = body;
    const event = { name, data: data as Json, id };
    const { at, number, repeated, run } = taken(
      await deliverEvent(app, caller, params['id'] ?? '', event),
    );
    return { run: run.taskId, name, number, at, repeated };
  },
});
