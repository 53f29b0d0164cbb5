import { z } from 'zod';
import type { Doc } from '../../ports/store.ts';
import { codec, SCHEMA_VERSION } from './documents.ts';

const apiKeySchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  /** Its id, too. */
  id: z.string(),
  tenant: z.string(),
  owner: z.string(),
  /** What a person calls it. */
  label: z.string(),
  /** SHA-256 of the whole key. It has 256 random bits, so nothing slower is needed. */
  hash: z.string(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
});
/** What is kept of an API key: whose it is, and how it is recognised, but not the key. */
export type ApiKeyDoc = z.infer<typeof apiKeySchema>;

export const apiKeyCodec = codec<ApiKeyDoc>(apiKeySchema);

export const apiKeyDoc = (id: string): Doc<ApiKeyDoc> => ({
  path: `apiKeys/${id}`,
  codec: apiKeyCodec,
});
