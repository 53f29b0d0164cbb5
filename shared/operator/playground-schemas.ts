import { z } from 'zod';
import { component } from './components.ts';

const id = z.string().min(1).max(256);
const said = { mediaType: z.string().max(256).optional() };

const part = z.union([
  z.strictObject({ text: z.string(), ...said }),
  z.strictObject({
    data: z.unknown().refine((value) => value !== undefined),
    ...said,
  }),
  z.strictObject({
    raw: z.base64().meta({ description: 'a file' }),
    filename: z.string().max(1_024).optional(),
    ...said,
  }),
]);

/** A message of an operator to an agent. */
export const triedMessage = z.strictObject({
  messageId: id.meta({ description: 'said again, it is answered by the task that it made' }),
  parts: z.array(part).min(1).max(20),
  taskId: id.optional().meta({ description: 'the task that it answers' }),
  contextId: id.optional(),
});

const response = z.record(z.string(), z.unknown());

/** The events of what an operator tries, by name. */
export const triedEvents = component(
  'TriedEvents',
  z.object({
    response: response.optional().meta({
      description: 'a StreamResponse of A2A 1.0: task, message, statusUpdate or artifactUpdate',
    }),
    end: z
      .object({ why: z.enum(['settled', 'planned']) })
      .optional()
      .meta({
        description:
          'last. settled: the task has ended, or asks for input; planned: it goes on, and so does the stream when it is asked for again, with Last-Event-ID',
      }),
  }),
);
export type TriedEvent = z.input<typeof triedEvents>;

export const triedTask = component('TriedTask', z.object({ id: z.string(), state: z.string() }));
