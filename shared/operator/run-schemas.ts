import { z } from 'zod';
import { RIGHTS } from '../ports/grants.ts';
import { blocked } from './change-schemas.ts';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const WAITS = ['approval', 'input', 'dependency', 'unknown-send'] as const;

/** What a run waits for, as a list shows it. */
export const waitsFor = component(
  'WaitsFor',
  z.object({
    kind: z
      .enum(WAITS)
      .meta({ description: 'unknown-send: it is unknown whether a remote agent got its message' }),
    since: instant,
    until: instant.optional().meta({ description: 'then the wait for a remote agent is over' }),
    remote: z.string().optional(),
    generation: z.number().int().meta({ description: 'of the pause; a decision names it' }),
    digest: z.string().optional().meta({ description: 'of the turn that is held; so does this' }),
  }),
);

const rights = z.array(z.enum(RIGHTS));

export const runRow = component(
  'RunRow',
  z.object({
    id: z.string(),
    context: z.string(),
    agent: z.string(),
    status: z.string().meta({
      description: 'as stored; one that is not known here is shown as it is, and is open',
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
