import type { BlobStream, ByteRange } from '../ports/blobs.ts';

const PIECE = 1024 * 1024;

/** A body that is in memory already. */
export function streamOf(body: Uint8Array, range: ByteRange = { offset: 0 }): BlobStream {
  const { offset, length = Infinity } = range;
  return { size: body.byteLength, body: pieces(body.subarray(offset, offset + length)) };
}

async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.byteLength; at += PIECE) yield body.subarray(at, at + PIECE);
}
