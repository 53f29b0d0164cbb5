import { z } from 'zod';
import type { Checksums } from './checksums.ts';
import { invalid } from './refusal.ts';

/**
 * What a caller may set of an object
 * (https://cloud.google.com/storage/docs/json_api/v1/objects#resource); the rest is the service's.
 */
const settable = z.object({
  contentType: z.string().optional(),
  contentEncoding: z.string().optional(),
  contentDisposition: z.string().optional(),
  contentLanguage: z.string().optional(),
  cacheControl: z.string().optional(),
  metadata: z.record(z.string(), z.string().nullable()).nullable().optional(),
});
const given = settable.extend({
  name: z.string().optional(),
  md5Hash: z.string().optional(),
  crc32c: z.string().optional(),
});
export type Settable = z.infer<typeof settable>;
export type Given = z.infer<typeof given>;

/** One generation of one object. */
export interface StoredObject extends Checksums {
  readonly bucket: string;
  readonly name: string;
  readonly body: Buffer;
  readonly generation: number;
  readonly metageneration: number;
  readonly created: string;
  readonly updated: string;
  /** When it stopped being the live generation. */
  readonly replaced?: string;
  /**
   * How many objects a composite one is made of; it has no MD5
   * (https://cloud.google.com/storage/docs/composite-objects).
   */
  readonly components?: number;
  readonly settable: Settable;
}

export function parseGiven(body: Buffer): Given {
  try {
    return given.parse(body.length === 0 ? {} : JSON.parse(body.toString()));
  } catch {
    throw invalid('Parse Error');
  }
}

/**
 * PATCH changes the fields it names, and of `metadata` the keys it names; null takes away
 * (objects/patch). PUT replaces all.
 */
export function applyChange(before: Settable, change: Settable, how: 'patch' | 'put'): Settable {
  if (how === 'put') return settable.parse(change);
  const { metadata, ...fields } = settable.parse(change);
  if (metadata === undefined) return { ...before, ...fields };
  const merged = metadata === null ? {} : { ...before.metadata, ...metadata };
  const kept = Object.entries(merged).filter(([, value]) => value !== null);
  return { ...before, ...fields, metadata: Object.fromEntries(kept) };
}

/** Numbers of 64 bits are strings in JSON. */
export function resourceOf(object: StoredObject): object {
  const { bucket, name, components, replaced } = object;
  const generation = String(object.generation);
  const { metadata, ...fields } = object.settable;
  return {
    kind: 'storage#object',
    id: `${bucket}/${name}/${generation}`,
    name,
    bucket,
    generation,
    metageneration: String(object.metageneration),
    storageClass: 'STANDARD',
    size: String(object.body.length),
    crc32c: object.crc32c,
    etag: Buffer.from(`${generation}/${object.metageneration}`).toString('base64'),
    timeCreated: object.created,
    updated: object.updated,
    ...fields,
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(components === undefined ? { md5Hash: object.md5Hash } : { componentCount: components }),
    ...(replaced !== undefined && { timeDeleted: replaced }),
  };
}
