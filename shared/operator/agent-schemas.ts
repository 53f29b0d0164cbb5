import { z } from 'zod';
import { RIGHTS } from '../ports/grants.ts';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const agentRow = component(
  'AgentRow',
  z.object({
    agent: z.string(),
    pausedSince: instant.optional().meta({
      description: 'nothing of its runs begins since then; absent if it is not paused',
    }),
    may: z.array(z.enum(RIGHTS)).meta({ description: 'what this operator may do to its runs' }),
  }),
);

export const agentCard = component(
  'AgentCard',
  z.object({
    agent: z.string(),
    url: z.string().optional().meta({ description: 'where callers get the card' }),
    card: z.record(z.string(), z.unknown()).meta({ description: 'as callers of A2A 1.0 get it' }),
    extended: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'what callers see who have proved who they are' }),
    missing: z.array(z.string()).meta({
      description: 'fields that the a2a function adds, and that are not known here',
    }),
  }),
);

export const agentPage = component('AgentPage', z.object({ agents: z.array(agentRow) }));
