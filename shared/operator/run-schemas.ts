import { z } from 'zod';
import { RIGHTS } from '../ports/grants.ts';
import { blocked } from './change-schemas.ts';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const WAITS = [
  'approval',
  'input',
  'dependency',
  'unknown-send',
  'circuit',
  'event',
  'sleep',
] as const;

/** What a run waits for, as a list shows it. */
export const waitsFor = component(
  'WaitsFor',
  z.object({
    kind: z.enum(WAITS).meta({
      description:
        'unknown-send: it is unknown whether a remote agent got its message; circuit: it would send one to a remote that is left alone just now; event: its function waits for an event until then; sleep: for that time alone',
    }),
    since: instant,
    until: instant.optional().meta({ description: 'then the wait is over' }),
    remote: z.string().optional(),
    events: z.array(z.string()).optional().meta({ description: 'of kind event: their names' }),
    send: z.string().optional().meta({ description: 'of kind unknown-send: the id of the send' }),
    resentAt: instant.optional().meta({ description: 'when an operator last sent it again' }),
    generation: z.number().int().meta({ description: 'of the pause; a decision names it' }),
    digest: z.string().optional().meta({ description: 'of the turn that is held; so does this' }),
  }),
);

const rights = z.array(z.enum(RIGHTS));

const count = z.number().int();

/** What models did, and what that cost. */
export const use = component(
  'Use',
  z.object({
    turns: count,
    input: z.number().meta({ description: 'tokens' }),
    output: z.number(),
    cached: z.number().meta({ description: "of the input, from the provider's cache" }),
    reasoning: z.number().meta({ description: 'of the output' }),
    cost: z.number().meta({ description: 'millionths of the currency that the prices are in' }),
    unpriced: count.meta({
      description: 'turns of a model whose price is not known: `cost` does not have them',
    }),
  }),
);

export const agentError = component(
  'RunError',
  z.object({
    at: instant,
    where: z.string().meta({
      description:
        'agent, tool, model, turn (which could not be used) or stray; segment: it was put back into the queue; worker: its worker was lost',
    }),
    tool: z.string().optional(),
    attempt: count,
    fault: z.string().meta({ description: 'its class' }),
    status: count.optional().meta({ description: 'HTTP status of the service that refused' }),
    words: z.string().optional().meta({
      description:
        'message, stack and causes; only with the right `view`, and as far as the ceilings let them be kept',
    }),
  }),
);

const attempt = z.object({
  number: count.meta({ description: 'the attempt that is under way, or comes next' }),
  of: count.meta({ description: 'as many as there are before it fails' }),
  try: count.meta({
    description:
      'the same with those that did not count: its worker was told to go, or a service of the installation took nothing',
  }),
});

export const runRow = component(
  'RunRow',
  z.object({
    id: z.string(),
    context: z.string(),
    agent: z.string(),
    status: z.string().meta({
      description:
        'as stored, but of one that is queued also what its agent waits for: `waiting_for_event`, `waiting_for_circuit` or `sleeping`; one that is not known here is shown as it is, and is open',
    }),
    state: z.string().meta({ description: 'state of its A2A task' }),
    open: z.boolean(),
    createdAt: instant,
    statusAt: instant.meta({ description: 'of its newest revision' }),
    waitsFor: waitsFor.optional(),
    blocked: blocked.optional().meta({
      description: 'it does not go on by itself: what it waited for is gone or changed',
    }),
    reason: z.string().optional().meta({ description: 'why it failed' }),
    endedAt: instant.optional(),
    attempt: attempt.optional().meta({
      description: 'of a run that is queued or running, since it last made a step forward',
    }),
    nextTryAt: instant.optional().meta({ description: 'of a run that is tried again' }),
    lastError: agentError.optional().meta({ description: 'of a run that is open, or has failed' }),
    progress: z.string().optional().meta({
      description: 'what its agent says it is at, as its caller sees it; only with `words`',
    }),
    model: z.string().optional().meta({ description: 'that answered last' }),
    used: use.optional().meta({ description: 'of a run with a model, so far' }),
    origin: z
      .object({ kind: z.enum(['retry', 'fork']), run: z.string(), steps: z.number().int() })
      .optional()
      .meta({ description: 'the run that it was made of, and how many of its steps it took over' }),
    triedAs: z.string().optional().meta({ description: 'the newest run that was made of it' }),
    may: rights.meta({ description: 'what this operator may do to it' }),
  }),
);

export const runPage = component(
  'RunPage',
  z.object({
    runs: z.array(runRow),
    cursor: z.string().optional().meta({
      description: 'where the list goes on; a page may be short, even empty, and have one',
    }),
    stoppedAfter: z.number().int().optional().meta({
      description: 'the page ended because so many rows were looked at; the cursor goes on',
    }),
    sortedAmong: z.number().int().optional().meta({
      description:
        'no index has this order: these are the first among so many whose change is the newest',
    }),
  }),
);
