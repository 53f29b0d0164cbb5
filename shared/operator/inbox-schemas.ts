import { z } from 'zod';
import { blocked } from './change-schemas.ts';
import { component } from './components.ts';
import { asked } from './asked-schema.ts';
import { instant } from './instant.ts';

const pending = component(
  'PendingDecision',
  z.object({
    id: z.string().meta({ description: 'of the run' }),
    agent: z.string(),
    context: z.string(),
    kind: z.enum(['approval', 'input']),
    since: instant,
    generation: z.number().int(),
    digest: z.string().optional().meta({ description: 'of the turn that is held' }),
    asked: asked.optional(),
  }),
);

const pendingSend = component(
  'PendingSend',
  z.object({
    id: z.string(),
    run: z.string(),
    agent: z.string(),
    remote: z.string(),
    state: z.string(),
    reason: z.string().optional(),
    since: instant,
    until: instant.meta({ description: 'then the run goes on without its result' }),
  }),
);

export const inboxResponse = component(
  'Inbox',
  z.object({
    decisions: z.array(pending),
    sends: z.array(pendingSend),
    blocked: z.array(
      component(
        'BlockedRun',
        z.object({ id: z.string(), agent: z.string(), context: z.string(), blocked }),
      ),
    ),
    more: z.boolean().meta({ description: 'more is waiting than is shown' }),
  }),
);
