import { z } from 'zod';
import { CEILINGS } from '../domain/ceiling.ts';
import { component } from './components.ts';
import { instant, span } from './instant.ts';
import { agentError } from './run-schemas.ts';

const count = z.number().int();

const usage = z.object({
  input: z.number().meta({ description: 'tokens' }),
  output: z.number(),
  cached: z.number().optional().meta({ description: 'of the input' }),
  reasoning: z.number().optional().meta({ description: 'of the output' }),
});

const call = z.object({
  callId: z.string(),
  name: z
    .string()
    .optional()
    .meta({ description: 'of the tool or remote; absent if there is none of that name' }),
  effect: z
    .string()
    .optional()
    .meta({ description: 'read, idempotent or once; remote, of a remote agent' }),
});

const content = z.object({
  words: z.unknown().optional().meta({ description: 'text, or the parts of a message' }),
  calls: z
    .array(z.object({ callId: z.string(), tool: z.string(), arguments: z.unknown() }))
    .optional()
    .meta({ description: 'of a turn: what it called' }),
  result: z.unknown().optional(),
  parts: z.array(z.unknown()).optional().meta({ description: 'files of the result' }),
  input: z.unknown().optional().meta({ description: 'what a person put in' }),
  instructions: z.string().optional(),
  problem: z.string().optional().meta({ description: 'why it could not be used' }),
});

export const trailStep = component(
  'TrailStep',
  z.object({
    n: count.meta({ description: 'its number, from 1 on' }),
    segment: count.meta({ description: 'fence of the segment that made it' }),
    kind: z.string().meta({ description: 'answer, turn, result, decision or summary' }),
    name: z.string().optional().meta({ description: 'of a result: the tool or remote' }),
    effect: z.string().optional(),
    callId: z.string().optional().meta({ description: 'of a result: the call of its turn' }),
    startedAt: instant.optional().meta({
      description: 'when its model was asked, its tool began, or its question was asked',
    }),
    at: instant.meta({ description: 'when it was committed' }),
    tookMs: span.optional(),
    attempt: count.optional().meta({ description: 'which try it was, 1 for the first' }),
    status: z.string().optional().meta({
      description:
        'of a result ok or error; of a decision approve, deny or input; of a turn why it is not whole',
    }),
    error: z
      .object({ class: z.string() })
      .optional()
      .meta({ description: 'what was thrown; its words are in `errors` where they are kept' }),
    model: z.string().optional(),
    usage: usage.optional(),
    cost: z.number().optional().meta({ description: 'in the unit of `spent.cost`' }),
    calls: z.array(call).optional().meta({ description: 'of a turn' }),
    by: z.string().optional().meta({ description: 'of a decision: owner or operator' }),
    generation: count.optional().meta({ description: 'of a decision or an answer: its pause' }),
    reason: z.string().optional().meta({ description: 'of a summary' }),
    content: content
      .optional()
      .meta({ description: 'what was said: only with the right `view`, and where it is kept' }),
  }),
);

export const trail = component(
  'Trail',
  z.object({
    run: z.string(),
    agent: z.string(),
    open: z.boolean().meta({
      description: 'the run is not over: everything is shown, and `level` is what will be kept',
    }),
    level: z.enum(CEILINGS).meta({ description: 'how much of its steps is kept' }),
    keptUntil: instant
      .optional()
      .meta({ description: 'then what was said is destroyed, and the level is metadata' }),
    steps: z.array(trailStep),
    errors: z.array(agentError),
    next: count.optional().meta({ description: 'number of the next step, for `from`' }),
  }),
);
