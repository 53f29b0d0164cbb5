import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import type { Doc } from '../../ports/store.ts';
import { bytes, codec, SCHEMA_VERSION } from './documents.ts';

const auditSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  at: z.number(),
  act: z.string(),
  taskId: z.string().nullable(),
  agent: z.string().nullable(),
  subject: z.string().nullable(),
  outcome: z.string().nullable(),
  /** Of what no person did: the rule, the runs that were counted, and the commit that counted. */
  rule: z.string().exactOptional(),
  count: z.number().exactOptional(),
  mark: z.string().exactOptional(),
  /** Who it was, sealed with the key of the installation. */
  operator: bytes,
});
/** What an operator did. It outlives the run that it was done to. */
export type AuditDoc = z.infer<typeof auditSchema>;
export const auditCodec = codec<AuditDoc>(auditSchema);

export const AUDIT = 'audit';

/** Ids are in the order of their times. */
export const auditDoc = (id: string): Doc<AuditDoc> => ({
  path: `${AUDIT}/${id}`,
  codec: auditCodec,
});

/** Where the ids of that time begin. */
export const auditFrom = (at: Millis): string => String(at).padStart(15, '0');

const keySchema = z.object({ v: z.literal(SCHEMA_VERSION), wrappedKey: bytes });
export type AuditKeyDoc = z.infer<typeof keySchema>;

/** The key that seals the names in the audit record. */
export const auditKeyDoc: Doc<AuditKeyDoc> = {
  path: 'installation/audit',
  codec: codec<AuditKeyDoc>(keySchema),
};
