import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { ItemOf } from './item.ts';
import type { ArtifactOf, MessageOf, Part, StoredPart } from './message.ts';

/** Applies `f` to every part of an item, in order. */
export function mapItem<P, Q>(item: ItemOf<P>, f: (part: P) => Q): ItemOf<Q> {
  switch (item.kind) {
    case 'message':
      return { ...item, message: mapParts(item.message, f) };
    case 'artifact':
      return { ...item, artifact: mapParts(item.artifact, f) };
    case 'status': {
      const { message, ...rest } = item;
      return message === undefined ? rest : { ...rest, message: mapParts(message, f) };
    }
  }
}

export function mapParts<P, Q>(message: MessageOf<P>, f: (part: P) => Q): MessageOf<Q>;
export function mapParts<P, Q>(artifact: ArtifactOf<P>, f: (part: P) => Q): ArtifactOf<Q>;
export function mapParts<P, Q, T extends { readonly parts: readonly P[] }>(
  holder: T,
  f: (part: P) => Q,
): Omit<T, 'parts'> & { readonly parts: readonly Q[] } {
  return { ...holder, parts: holder.parts.map(f) };
}

/** A rough size of a part's content in bytes, without building it. */
export function partBytes(part: Part): number {
  if ('raw' in part) return part.raw.byteLength;
  if ('text' in part) return Buffer.byteLength(part.text);
  if ('url' in part) return part.url.length;
  return JSON.stringify(part.data).length;
}

/**
 * Content as JSON text. Bytes become base64 under `raw`; only the part itself is inspected, never
 * the inside of a data part, so a caller's data can't be mistaken for ours.
 */
export function partToJson(part: StoredPart): JsonObject {
  if (!('raw' in part)) return part as unknown as JsonObject;
  const { raw, ...rest } = part;
  return {
    ...rest,
    raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64'),
  };
}

/** The way back. Throws TypeError for what `partToJson` can't have written. */
export function partFromJson(json: Json): StoredPart {
  if (!isJsonObject(json)) throw new TypeError('a stored part is an object');
  if (typeof json['raw'] === 'string') {
    return { ...json, raw: new Uint8Array(Buffer.from(json['raw'], 'base64')) };
  }
  if ('text' in json || 'data' in json || 'url' in json || 'stored' in json)
    return json as unknown as StoredPart;
  throw new TypeError('a stored part has content');
}
