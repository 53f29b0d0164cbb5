import { z } from 'zod';
import {
  type ApiKey,
  listApiKeys,
  makeApiKey,
  revokeApiKey,
} from '../app/callers/manage-api-keys.ts';
import { apiKey, apiKeyPage, madeApiKey } from './api-key-schemas.ts';
import { fail, taken } from './failure.ts';
import { operation, type Surroundings } from './operation.ts';

const DAY = 86_400_000;
const YEARS = 3_650;

/** Who has a key acts as its owner, on every agent: the right must be one on all of them. */
async function requireKeysRight({ agents, caller }: Surroundings): Promise<void> {
  const rights = await Promise.all(agents.map((agent) => caller.rights(agent)));
  if (!rights.every((each) => each.has('keys')))
    throw fail('PERMISSION_DENIED', 'This needs the right keys on every agent.');
}

function shown({ createdAt, expiresAt, id, label, owner, revokedAt, tenant }: ApiKey) {
  return {
    id,
    owner,
    tenant,
    label,
    createdAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
  };
}

export const apiKeyOperations = [
  operation({
    id: 'listKeys',
    method: 'GET',
    path: '/keys',
    summary: 'API keys of callers: whose each is, but not the key.',
    right: 'keys',
    query: z.strictObject({ cursor: z.string().max(2_000).optional() }),
    answer: apiKeyPage,
    async handle(around, { query }) {
      await requireKeysRight(around);
      const { cursor, keys } = await listApiKeys(around.app, query.cursor);
      return { keys: keys.map(shown), ...(cursor !== undefined && { cursor }) };
    },
  }),
  operation({
    id: 'makeKey',
    method: 'POST',
    path: '/keys',
    summary: 'Makes an API key. Its text is in this answer, and nowhere else.',
    right: 'keys',
    body: z.strictObject({
      owner: z.string().min(1).max(256),
      tenant: z.string().max(64).default(''),
      label: z.string().max(100).default(''),
      days: z.number().int().min(1).max(YEARS).optional().meta({
        description: 'it expires after so many; without, it holds until it is revoked',
      }),
    }),
    answer: madeApiKey,
    async handle(around, { body }) {
      await requireKeysRight(around);
      const { days, ...wanted } = body;
      const life = days === undefined ? {} : { life: days * DAY };
      const { key, text } = taken(
        await makeApiKey(around.app, { ...wanted, ...life }, around.caller.subject),
      );
      around.app.log.write('info', 'api key made', { key: key.id });
      return { key: shown(key), text };
    },
  }),
  operation({
    id: 'revokeKey',
    method: 'POST',
    path: '/keys/{id}/revoke',
    summary: 'Revokes an API key; within seconds it lets no one in.',
    right: 'keys',
    body: z.strictObject({}),
    answer: apiKey,
    errors: ['KEY_NOT_FOUND'],
    async handle(around, { params }) {
      await requireKeysRight(around);
      const key = await revokeApiKey(around.app, params['id'] ?? '', around.caller.subject);
      if (key === undefined) throw fail('KEY_NOT_FOUND');
      around.app.log.write('info', 'api key revoked', { key: key.id });
      return shown(key);
    },
  }),
];
