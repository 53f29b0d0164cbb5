import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const receipt = component(
  'Receipt',
  z.object({
    id: z.string(),
    run: z.string(),
    generation: z.number().int(),
    kind: z.enum(['approve', 'deny', 'input']),
    time: instant,
  }),
);
