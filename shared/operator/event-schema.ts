import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

/** What came of delivering an event. */
export const eventReceipt = component(
  'EventReceipt',
  z.object({
    run: z.string(),
    name: z.string(),
    number: z.number().int().meta({ description: 'of the event, in the order of arrival' }),
    at: instant,
    repeated: z.boolean().meta({ description: 'it was there already, under the same id' }),
  }),
);
