import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import type { Item } from '../../domain/item.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Part } from '../../domain/message.ts';
import type { RemoteTaskRef } from '../../domain/remote.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import { boundPause } from './bindings.ts';
import {
  itemsFromJson,
  itemToJson,
  loadItem,
  unsealFields,
  pack,
  sealFields,
  storeItems,
} from './content.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { type PauseDoc, pauseDoc } from '../records/work-documents.ts';
import type { SealingKey } from './sealing-key.ts';

/** What a suspended run is taken up from, sealed (G11, G16). */
export interface Checkpoint {
  /** The call that is answered by the resume, and by nothing else (G11). */
  readonly callId: string | null;
  /** What a person is asked. */
  readonly pause?: PauseRequest;
  /** The commit that the folder is opened at, where the run has files. */
  readonly files?: string;
  /** The remote task, and until when it is waited for. */
  readonly dependency?: { readonly operation: RemoteTaskRef | null; readonly deadlineAt: Millis };
}

const json = z.json() as z.ZodType<Json>;
const schema = z.object({
  callId: z.string().nullable(),
  files: z.string().exactOptional(),
  words: json.exactOptional(),
  pause: z
    .object({
      kind: z.enum(['approval', 'input']),
      digest: z.string().exactOptional(),
      calls: z
        .array(z.object({ id: z.string(), tool: z.string(), summary: z.string() }))
        .exactOptional(),
      schema: json.exactOptional(),
      callId: z.string().exactOptional(),
      auth: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  dependency: z
    .object({
      operation: z.object({ taskId: z.string(), contextId: z.string() }).nullable(),
      deadlineAt: z.number(),
    })
    .exactOptional(),
});

/** A suspension on its way into the row. */
export interface NewCheckpoint {
  readonly generation: number;
  readonly kind: PauseDoc['kind'];
  /** The send that a dependency waits for. */
  readonly sendId?: string;
  readonly checkpoint: Checkpoint;
}

/**
 * The document of one suspension, before its generation is known for certain: sealed for that one
 * alone.
 */
export async function prepareCheckpoint(
  app: App,
  workKey: SealingKey,
  { generation, kind, sendId, checkpoint }: NewCheckpoint,
): Promise<PauseDoc> {
  const { pause, ...rest } = checkpoint;
  const { words, ...asked } = pause ?? { words: [] };
  const [item] = await storeItems(app, workKey, [wordsItem(words)]);
  const content = {
    ...rest,
    ...(pause !== undefined && {
      pause: asked,
      words: item === undefined ? null : itemToJson(item),
    }),
  } as unknown as JsonObject;
  const packed = await pack(app, workKey, content);
  const { path } = pauseDoc(workKey.taskId, generation);
  const clear = { generation, kind, at: app.clock.now(), sendId: sendId ?? null };
  return {
    v: SCHEMA_VERSION,
    ...clear,
    resolution: null,
    resolvedAt: null,
    ...sealFields(app, workKey, path, packed, boundPause(clear)),
  };
}

/** Throws Unreadable. */
export async function unsealCheckpoint(
  app: App,
  workKey: SealingKey,
  doc: PauseDoc,
): Promise<Checkpoint> {
  const { path } = pauseDoc(workKey.taskId, doc.generation);
  const parsed = schema.safeParse(await unsealFields(app, workKey, path, doc, boundPause(doc)));
  if (!parsed.success) throw new Unreadable(path, parsed.error);
  const { pause, words: said, ...rest } = parsed.data;
  if (pause === undefined) return rest;
  const words = await unsealWords(app, workKey, said, path);
  return { ...rest, pause: asRequest(pause, words, path) };
}

type StoredPause = NonNullable<z.infer<typeof schema>['pause']>;

function asRequest(stored: StoredPause, words: readonly Part[], path: string): PauseRequest {
  const { auth, kind, digest, calls, callId, schema: wanted } = stored;
  if (kind === 'approval') {
    if (digest === undefined) throw new Unreadable(path);
    return { kind, words, digest, calls: calls ?? [] };
  }
  return {
    kind,
    words,
    ...(wanted !== undefined && { schema: wanted }),
    ...(digest !== undefined && { digest }),
    ...(callId !== undefined && { callId }),
    ...(auth !== undefined && { auth }),
  };
}

function wordsItem(parts: readonly Part[]): Item {
  return { kind: 'message', message: { messageId: '', role: 'agent', parts } };
}

async function unsealWords(
  app: App,
  workKey: SealingKey,
  said: Json | undefined,
  path: string,
): Promise<readonly Part[]> {
  const [item] = itemsFromJson(said === undefined ? [] : [said], path);
  const loaded = item && (await loadItem(app, workKey, item));
  return loaded?.kind === 'message' ? loaded.message.parts : [];
}
