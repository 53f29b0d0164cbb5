import { createHash } from 'node:crypto';
import type { Bucket, FileMetadata } from '@google-cloud/storage';
import type { Blob } from '../../ports/blobs.ts';
import { Unavailable } from '../../ports/faults.ts';
import { MARK, metadataOf, unlessGone } from './present-object.ts';

/**
 * An object that is replaced again and again between the two calls; more often means that something
 * else is wrong.
 */
const ROUNDS = 8;

/**
 * The answer of a body holds no custom metadata, so there are two calls; the second names the
 * generation that the first saw.
 */
export async function readObject(bucket: Bucket, name: string): Promise<Blob | undefined> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const metadata = await metadataOf(bucket, name);
    if (metadata === undefined) return undefined;
    const body = await bodyOf(bucket, name, metadata);
    if (body !== undefined) return blobOf(metadata, body);
  }
  throw new Unavailable('an object that is always being replaced');
}

async function bodyOf(
  bucket: Bucket,
  name: string,
  { generation = '', md5Hash }: FileMetadata,
): Promise<Uint8Array | undefined> {
  const file = bucket.file(name, { generation });
  // Validated here: MD5 runs in native code, the client's CRC32C does not.
  const body = await unlessGone(async () => (await file.download({ validation: false }))[0]);
  if (body === undefined) return undefined;
  if (md5Hash !== undefined && createHash('md5').update(body).digest('base64') !== md5Hash) {
    throw new Unavailable('Cloud Storage', new Error('a body arrived damaged'));
  }
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
}

function blobOf(found: FileMetadata, body: Uint8Array): Blob {
  const custom = Object.entries(found.metadata ?? {}).filter(([key]) => key !== MARK);
  return {
    body,
    contentType: found.contentType ?? 'application/octet-stream',
    generation: String(found.generation),
    metadata: Object.fromEntries(custom.map(([key, value]) => [key, String(value)])),
  };
}
