import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export type ResponseBody =
  | { readonly kind: 'whole'; readonly body: Uint8Array }
  | { readonly kind: 'too large' }
  | { readonly kind: 'broken' };

/**
 * The body, unpacked, if it has at most `limit` bytes both ways: a small one that unpacks into a
 * large one is stopped while it does, and so is a large one that unpacks into nothing.
 */
export async function readResponse(
  response: IncomingMessage,
  limit: number,
): Promise<ResponseBody> {
  const unpacked = unpack(response);
  if (unpacked === undefined) return { kind: 'broken' };
  let packedBytes = 0;
  if (unpacked !== response) {
    response.on('data', (chunk: Uint8Array) => {
      packedBytes += chunk.length;
      if (packedBytes > limit) response.destroy();
    });
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unpacked) {
      if (!(chunk instanceof Uint8Array)) return { kind: 'broken' };
      bytes += chunk.length;
      if (bytes > limit) return { kind: 'too large' };
      chunks.push(chunk);
    }
  } catch {
    return { kind: packedBytes > limit ? 'too large' : 'broken' };
  }
  return { kind: 'whole', body: Buffer.concat(chunks) };
}

function unpack(response: IncomingMessage): Readable | undefined {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity') return response;
  const unpacker = unpackerOf(coding);
  // What goes wrong on either side ends the other; the reader sees it.
  return unpacker && pipeline(response, unpacker, () => undefined);
}

function unpackerOf(coding: string): Transform | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
