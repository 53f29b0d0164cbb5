import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

const parkedWebhook = component(
  'ParkedWebhook',
  z.object({
    id: z.string().meta({ description: 'of the run and the webhook' }),
    run: z.string(),
    agent: z.string(),
    reason: z.string().meta({ description: 'why its last attempt failed, in a word' }),
    failures: z.number().int(),
    after: z.number().int().meta({ description: 'the last event that it took' }),
    since: instant,
  }),
);

export const parkedPage = component(
  'ParkedWebhooks',
  z.object({
    webhooks: z.array(parkedWebhook),
    more: z.boolean().meta({ description: 'there are more than are shown' }),
  }),
);

export const redeliveredWebhook = component(
  'RedeliveredWebhook',
  z.object({ webhook: z.string(), run: z.string() }),
);
