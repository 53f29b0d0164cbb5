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

export const agentPage = component('AgentPage', z.object({ agents: z.array(agentRow) }));
