import { z } from 'zod';
import { component } from './components.ts';
import { runRow } from './run-schemas.ts';

const count = z.number().int();

const risk = z.object({
  callId: z.string(),
  step: count.meta({ description: 'of the turn that made the call' }),
  name: z.string().optional().meta({ description: 'of the tool or remote' }),
  effect: z.string().meta({ description: 'once, or remote; unknown, where nothing says it' }),
  made: z.boolean().meta({
    description: 'it has a result, which is not taken over; otherwise it may have run',
  }),
});

/** What a second try takes over of an earlier run, and what it does anew. */
export const secondTry = component(
  'SecondTry',
  z.object({
    of: z.string().meta({ description: 'the earlier run' }),
    agent: z.string(),
    waits: z
      .string()
      .optional()
      .meta({ description: 'its status, of one that has not ended: it is cancelled by this' }),
    kept: count.meta({ description: 'so many of its first steps are taken over' }),
    steps: count.meta({ description: 'so many it has' }),
    beginsWith: z
      .enum(['no-steps', 'not-kept', 'files', 'too-many'])
      .optional()
      .meta({ description: 'why it begins from its message; absent if it goes on from a step' }),
    anew: z
      .array(
        z.object({
          step: count,
          kind: z.string(),
          name: z.string().optional(),
          effect: z.string().optional(),
        }),
      )
      .meta({ description: 'steps of the earlier run that are not taken over' }),
    unread: count.meta({ description: 'steps of which nothing is known, not even what ran' }),
    risks: z
      .array(risk)
      .meta({ description: 'what must not run twice and may: to be named in `again`' }),
    named: z.array(risk).meta({ description: 'of these, what is named' }),
    busy: z
      .string()
      .optional()
      .meta({ description: 'the task of the context that is not finished' }),
    run: runRow.optional().meta({ description: 'that was made; absent of a dry run' }),
  }),
);
