import { z } from 'zod';
import type { Item, ItemOf, StoredItem } from '../../domain/item.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { ObjectRef, Part, StoredPart } from '../../domain/message.ts';
import { mapItem, partBytes, partFromJson, partToJson } from '../../domain/stored-content.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { objectRef } from '../records/documents.ts';
import type { Bound } from './bindings.ts';
import { getObject, putObject } from './objects.ts';
import type { SealingKey } from './sealing-key.ts';
import { unseal, seal } from './sealing.ts';

/** Content ready to be committed: inline, or as a pointer to the object that already holds it. */
export type Packed = { readonly plain: Uint8Array } | { readonly ref: ObjectRef };

/** The field of a document that holds its sealed content, or a sealed pointer to it. */
export interface SealedFields {
  readonly content: Uint8Array;
}

/**
 * A row's content when it was too large for one. Sealed as the content would be: no other writer
 * can say where it lies.
 */
const pointer = z.strictObject({ stored: objectRef });

const PART = { raw: 'part as raw', text: 'part as text', data: 'part as data' } as const;

/**
 * Moves each part that is too large for a row into an object of its own; the others stay as they
 * are.
 */
export async function storeItems(
  app: App,
  runKey: SealingKey,
  items: readonly Item[],
): Promise<readonly StoredItem[]> {
  const large = new Map<Part, StoredPart>();
  for (const part of items.flatMap(partsOf)) {
    if (partBytes(part) > app.settings.inlineContent)
      large.set(part, await storePart(app, runKey, part));
  }
  return items.map((item) => mapItem(item, (part): StoredPart => large.get(part) ?? part));
}

export function partsOf<P>(item: ItemOf<P>): readonly P[] {
  if (item.kind === 'artifact') return item.artifact.parts;
  return item.message?.parts ?? [];
}

async function storePart(app: App, runKey: SealingKey, part: Part): Promise<StoredPart> {
  if ('raw' in part) {
    const { raw, ...frame } = part;
    return { ...frame, stored: await putObject(app, runKey, PART.raw, raw), as: 'raw' };
  }
  if ('text' in part) {
    const { text, ...frame } = part;
    return {
      ...frame,
      stored: await putObject(app, runKey, PART.text, Buffer.from(text)),
      as: 'text',
    };
  }
  if ('url' in part) return part;
  const { data, ...frame } = part;
  return {
    ...frame,
    stored: await putObject(app, runKey, PART.data, Buffer.from(JSON.stringify(data))),
    as: 'data',
  };
}

/** The way back. Throws Unreadable. */
export async function loadPart(app: App, runKey: SealingKey, part: StoredPart): Promise<Part> {
  if (!('stored' in part)) return part;
  const { stored, as, ...frame } = part;
  const plain = await getObject(app, runKey, PART[as], stored);
  if (as === 'raw') return { ...frame, raw: plain };
  const text = Buffer.from(plain).toString('utf8');
  return as === 'text' ? { ...frame, text } : { ...frame, data: parseJson(text, stored.object) };
}

/**
 * Loads what lies in objects, for items of which at least one part does; most have none and cost
 * nothing.
 */
export async function loadItem(app: App, runKey: SealingKey, item: StoredItem): Promise<Item> {
  const loaded = new Map<StoredPart, Part>();
  for (const part of partsOf(item)) loaded.set(part, await loadPart(app, runKey, part));
  return mapItem(item, (part) => loaded.get(part) ?? (part as Part));
}

/**
 * Makes content ready: over the inline limit it goes to an object first
 * (docs/architecture.md#completion).
 */
export async function pack(
  app: App,
  runKey: SealingKey,
  json: JsonObject,
  limit = app.settings.inlineContent,
): Promise<Packed> {
  const plain = Buffer.from(JSON.stringify(json));
  return plain.byteLength > limit
    ? { ref: await putObject(app, runKey, 'content', plain) }
    : { plain };
}

/** The same for what must not need an object; undefined where it would. */
export function packInline(json: JsonObject, limit: number): Packed | undefined {
  const plain = Buffer.from(JSON.stringify(json));
  return plain.byteLength > limit ? undefined : { plain };
}

/**
 * Seals content for one document and no other. `bound`: the document's clear fields that it opens
 * beside.
 */
export function sealFields(
  app: App,
  runKey: SealingKey,
  path: string,
  packed: Packed,
  bound: Bound,
): SealedFields {
  const plain =
    'ref' in packed ? Buffer.from(JSON.stringify({ stored: packed.ref })) : packed.plain;
  return { content: seal(runKey, ['content', path, ...bound], app.ids.bytes(12), plain) };
}

/** Opens a document's content. Throws Unreadable. */
export async function unsealFields(
  app: App,
  runKey: SealingKey,
  path: string,
  { content }: SealedFields,
  bound: Bound,
): Promise<JsonObject> {
  const json = parseObject(unseal(runKey, ['content', path, ...bound], content), path);
  if (!('stored' in json)) return json;
  const parsed = pointer.safeParse(json);
  if (!parsed.success) throw new Unreadable(path, parsed.error);
  return parseObject(await getObject(app, runKey, 'content', parsed.data.stored), path);
}

function parseObject(plain: Uint8Array, path: string): JsonObject {
  const { buffer, byteLength, byteOffset } = plain;
  const json = parseJson(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'), path);
  if (!isJsonObject(json)) throw new Unreadable(path);
  return json;
}

function parseJson(text: string, what: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new Unreadable(what, cause);
  }
}

export const itemToJson = (item: StoredItem): JsonObject =>
  mapItem(item, partToJson) as unknown as JsonObject;

/**
 * Content that we sealed ourselves is authentic; still, a shape that can't be ours is Unreadable,
 * not a crash.
 */
export function itemsFromJson<T extends StoredItem>(
  json: Json | undefined,
  what: string,
): readonly T[] {
  if (!Array.isArray(json)) throw new Unreadable(what);
  try {
    return json.map((item) => mapItem(item as unknown as ItemOf<Json>, partFromJson) as T);
  } catch (cause) {
    throw new Unreadable(what, cause);
  }
}
