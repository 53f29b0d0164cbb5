import { z } from 'zod';
import { compositeKey } from '../../domain/digest.ts';
import { listedAs, listedIn, type Scope } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Fields, Value } from '../../ports/backend.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { Codec, Doc, ReadDoc } from '../../ports/store.ts';
import { tolerantCodec } from './unreadable.ts';
import { runCodec } from './run-document.ts';

/**
 * Every document says which version of its shape it has; readers keep understanding the old ones.
 */
export const SCHEMA_VERSION = 1;

export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
export const objectRef = z.object({ object: z.string(), bytes: z.number() });

/** Sealed content, or a sealed pointer to where it lies when it was too large for a row. */
const sealed = { content: bytes };

const revisionSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  revision: z.number(),
  state: z.string(),
  at: z.number(),
  commitId: z.string(),
  /** Its state is an event, not only its items; known without opening it. */
  announces: z.boolean().default(true),
  ...sealed,
});
/** One public change of a run: what the projector reads. Immutable. */
export type RevisionDoc = z.infer<typeof revisionSchema>;

const viewSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  taskId: z.string(),
  contextId: z.string(),
  agent: z.string(),
  tenant: z.string(),
  owner: z.string(),
  scope: z.string(),
  state: z.string(),
  statusAt: z.number(),
  createdAt: z.number(),
  projectedRevision: z.number(),
  lastSeq: z.number(),
  wrappedKey: bytes,
  /** The content of revisions up to this one is gone, its key destroyed (G7). */
  scrubbedRevision: z.number().default(0),
  /** Older stretches of the task's content, oldest first. */
  pages: z.array(objectRef),
  ...sealed,
});
/**
 * What remote parties read of a task (G2). Stored, the range of its caller's list is part of
 * `scope`.
 */
export type ViewDoc = z.infer<typeof viewSchema> & { readonly listShard: number };

const entrySchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  fromSeq: z.number(),
  toSeq: z.number(),
  revision: z.number(),
  state: z.string(),
  at: z.number(),
  /**
   * The run's `scrubbedRevision` when this was sealed: an entry of an earlier one can't be opened
   * any more.
   */
  epoch: z.number().default(0),
  /** The changes of state among its events: what remains when the content is scrubbed. */
  states: z.array(z.object({ seq: z.number(), state: z.string(), at: z.number() })).default([]),
  /**
   * Present where the newest revision was committed with this entry, which then is its document,
   * too: its commit, the first of its events, and whether its state is one of them.
   */
  own: z
    .object({ commitId: z.string(), fromSeq: z.number(), announces: z.boolean() })
    .exactOptional(),
  ...sealed,
});
/** The events of one projection in the journal; its id is its last seq. */
export type EntryDoc = z.infer<typeof entrySchema>;

const inputSchema = z.object({ v: z.literal(SCHEMA_VERSION), ...sealed });
/** A message as it came, for the segment that works on it; gone when the segment has ended. */
export type InputDoc = z.infer<typeof inputSchema>;

const contextSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  scope: z.string(),
  activeTask: z.string().nullable(),
  /**
   * Where the files of a context go on from, once agents have files: commit order can't be told
   * afterwards.
   */
  lastCompleted: z.string().nullable(),
  updatedAt: z.number(),
});
export type ContextDoc = z.infer<typeof contextSchema>;

const receiptSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  digest: z.string(),
  taskId: z.string(),
  contextId: z.string(),
  revision: z.number(),
  shard: z.number().default(0),
  expiresAt: z.number(),
});
/** A message that was taken, so that its retry is answered by the same task (G22). */
export type ReceiptDoc = z.infer<typeof receiptSchema>;

export function codec<T extends { readonly [key: string]: Value }>(schema: z.ZodType<T>): Codec<T> {
  return {
    encode: (value): Fields => value,
    decode: (fields, path) => {
      const parsed = schema.safeParse(fields);
      if (!parsed.success) throw new Unreadable(`document ${path}`, parsed.error);
      return parsed.data;
    },
  };
}

const storedView = codec<z.infer<typeof viewSchema>>(viewSchema);
export const viewCodec: Codec<ViewDoc> = {
  encode: ({ listShard, ...view }) =>
    storedView.encode({ ...view, scope: listedAs(view.scope, listShard) }),
  decode(fields, path) {
    const view = storedView.decode(fields, path);
    return { ...view, ...listedIn(view.scope) };
  },
};
/** For lists: a row that another version wrote, or that is corrupt, must not hide the others. */
export const readableViewCodec = tolerantCodec(viewCodec);
export const entryCodec = codec<EntryDoc>(entrySchema);
export const revisionCodec = codec<RevisionDoc>(revisionSchema);
const inputCodec = codec<InputDoc>(inputSchema);
const contextCodec = codec<ContextDoc>(contextSchema);
export const receiptCodec = codec<ReceiptDoc>(receiptSchema);

/**
 * To be read. A run's row is written by `change` alone, which has a document of its own for that.
 */
export const runDoc = (taskId: string): ReadDoc<Run> => ({
  path: `runs/${taskId}`,
  codec: runCodec,
});

/** Numbers in ids are padded, so that their order as text is their order. */
export const revisionDoc = (taskId: string, revision: number): Doc<RevisionDoc> => ({
  path: `runs/${taskId}/revisions/${pad(revision)}`,
  codec: revisionCodec,
});

export const inputDoc = (taskId: string): Doc<InputDoc> => ({
  path: `runs/${taskId}/inputs/current`,
  codec: inputCodec,
});

export const viewDoc = (taskId: string): Doc<ViewDoc> => ({
  path: `tasks/${taskId}`,
  codec: viewCodec,
  remembered: true,
});

export const entryDoc = (taskId: string, toSeq: number): Doc<EntryDoc> => ({
  path: `tasks/${taskId}/events/${pad(toSeq)}`,
  codec: entryCodec,
});

/**
 * Two callers may use one context id; each has a context of its own (G23). The id itself is never
 * part of a path (G21).
 */
export const contextDoc = (scope: Scope, contextId: string): Doc<ContextDoc> => ({
  path: `contexts/${compositeKey('context', scope, contextId)}`,
  codec: contextCodec,
  remembered: true,
});

export const receiptDoc = (scope: Scope, messageId: string): Doc<ReceiptDoc> => ({
  path: `receipts/${compositeKey('receipt', scope, messageId)}`,
  codec: receiptCodec,
});

export function pad(number: number): string {
  return String(number).padStart(12, '0');
}
