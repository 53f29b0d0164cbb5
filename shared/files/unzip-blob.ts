import { pipeline, Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import { isFault, Unreadable } from '../ports/faults.ts';
import { objectHash, objectId } from './object-id.ts';
import type { ZippedBlob } from './pack-runs.ts';
import { unzip } from './zipped.ts';

/** What is larger is handed on in pieces: a file of zeros is small only while it is zipped. */
const WHOLE = 4 * 1024 * 1024;
const PIECE = 1024 * 1024;

/** The content, if it is small. Throws Unreadable unless it is what its id says. */
export async function wholeBlob({ id, size, zlib }: ZippedBlob): Promise<Buffer | undefined> {
  if (!Buffer.isBuffer(zlib) || size > WHOLE) return undefined;
  const body = await unzip(zlib, size);
  if (objectId('blob', body) !== id) throw new Unreadable('a file');
  return body;
}

export function zlibPieces(
  zlib: ZippedBlob['zlib'],
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return Buffer.isBuffer(zlib) ? [zlib] : zlib();
}

/** The content in pieces. Throws Unreadable, at its end at the latest, if it is something else. */
export async function* blobPieces({ id, size, zlib }: ZippedBlob): AsyncGenerator<Uint8Array> {
  const inflate = createInflate({ chunkSize: PIECE });
  // An error on either side destroys the other, and is thrown by the loop.
  pipeline(Readable.from(zlibPieces(zlib)), inflate, () => undefined);
  const pieces: AsyncIterable<Uint8Array> = inflate;
  const hash = objectHash('blob', size);
  let total = 0;
  try {
    for await (const piece of pieces) {
      total += piece.byteLength;
      if (total > size) break;
      hash.update(piece);
      yield piece;
    }
  } catch (error) {
    // What zlib can't read is no answer of the bucket.
    throw isFault(error) ? error : new Unreadable('a file', error);
  }
  if (total !== size || hash.digest('hex') !== id) throw new Unreadable('a file');
}
