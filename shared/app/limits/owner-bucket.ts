import { z } from 'zod';
import { compositeKey } from '../../domain/digest.ts';
import type { Doc } from '../../ports/store.ts';
import { codec, SCHEMA_VERSION } from '../records/documents.ts';

export const BUCKETS = 'quotas';

const bucketSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  /** What could be handed out at `at`. */
  tokens: z.number(),
  at: z.number(),
});
/** What an owner may still send. It is full again seconds later, and then the same as none. */
export type Bucket = z.infer<typeof bucketSchema>;

export const bucketCodec = codec(bucketSchema);

/** Its id is a digest: such ids are spread evenly. */
export const bucketDoc = (owner: string): Doc<Bucket> => ({
  path: `${BUCKETS}/${compositeKey('requests', owner)}`,
  codec: bucketCodec,
});
