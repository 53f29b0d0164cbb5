import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const finding = z.object({
  name: z.string(),
  health: z.enum(['ok', 'warn', 'fail']),
  words: z.string(),
  remedy: z.string().optional().meta({ description: 'what to do' }),
});

export const diagnosis = component(
  'Diagnosis',
  z.object({
    at: instant.meta({ description: 'by the clock of the server' }),
    findings: z.array(finding),
  }),
);
