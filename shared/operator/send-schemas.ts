import { z } from 'zod';
import { component } from './components.ts';

export const sendResponse = component(
  'SendAnswer',
  z.object({
    run: z.string(),
    send: z.string().meta({ description: 'the send that counts from now on' }),
    state: z.string(),
    reason: z.string().optional(),
  }),
);
