import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const apiKey = component(
  'ApiKey',
  z.object({
    id: z.string().meta({ description: 'names the key; it is no secret' }),
    owner: z.string().meta({ description: 'who calls with it: the owner of the tasks it makes' }),
    tenant: z.string().meta({ description: 'empty where there is one tenant' }),
    label: z.string(),
    createdAt: instant,
    expiresAt: instant.optional(),
    revokedAt: instant.optional(),
  }),
);

export const apiKeyPage = component(
  'ApiKeyPage',
  z.object({ keys: z.array(apiKey), cursor: z.string().optional() }),
);

export const madeApiKey = component(
  'MadeApiKey',
  z.object({
    key: apiKey,
    text: z.string().meta({ description: 'the key itself; it is shown this once' }),
  }),
);
