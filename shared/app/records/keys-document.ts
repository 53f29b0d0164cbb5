import { z } from 'zod';
import type { Doc } from '../../ports/store.ts';
import { codec } from './documents.ts';

/**
 * The format of envelopes, wrapped keys and digests that this version writes, and the only one that
 * it reads.
 */
export const SEAL_FORMAT = 2;

const keysSchema = z.object({
  v: z.literal(1),
  format: z.number(),
  /** Of every key that may have wrapped a data key of these rows, the newest first. */
  names: z.array(z.string()),
});
/**
 * The keys that rows are sealed with: stored beside them, so that each start knows which keys it
 * needs.
 */
export type KeysDoc = z.infer<typeof keysSchema>;

export const keysDoc: Doc<KeysDoc> = {
  path: 'installation/keys',
  codec: codec<KeysDoc>(keysSchema),
};
