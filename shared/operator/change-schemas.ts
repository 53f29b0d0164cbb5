import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

/** What a run waited for, and is gone or changed. */
export const changes = z.array(
  component(
    'Change',
    z.object({
      kind: z.enum(['agent', 'tool', 'remote', 'step']),
      name: z.string(),
      changed: z
        .array(z.string())
        .meta({ description: 'what of its declaration is another; empty if it is gone' }),
    }),
  ),
);

export const blocked = component(
  'Blocked',
  z.object({
    since: instant,
    next: instant.meta({ description: 'when it looks again whether it may go on' }),
    changes,
    digest: z.string().meta({ description: 'of these changes; a continue names it' }),
  }),
);
