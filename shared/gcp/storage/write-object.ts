import { createHash, randomUUID } from 'node:crypto';
import type { BlobWrite, BlobWritten } from '../../ports/blobs.ts';
import { Unavailable } from '../../ports/faults.ts';
import type { StorageClient } from './client.ts';
import { statusOf } from './outcome.ts';
import { MARK, ownWrite } from './present-object.ts';

/** Up to here a body goes in one request; above, in pieces that are resumed where they broke. */
const SINGLE_REQUEST = 16 * 1024 * 1024;
const PIECE = 8 * 1024 * 1024;

/**
 * One write, to be called again when it had no answer. When an attempt may have been applied and
 * the next one finds that the expectation does not hold, the reason may be our own write: its mark
 * tells. (If someone has replaced it since, `stale` is the answer, and as true: the object is not
 * what the caller expected.)
 */
export function writeObject(
  { once, resuming }: StorageClient,
  name: string,
  body: Uint8Array,
  { contentType, metadata, expect }: BlobWrite,
): () => Promise<BlobWritten> {
  const mark = randomUUID();
  const single = body.byteLength <= SINGLE_REQUEST;
  const file = (single ? once : resuming).file(name);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const options = {
    resumable: !single,
    ...(!single && { chunkSize: PIECE }),
    // The service verifies the checksum before it writes. The client would do so afterwards, and
    // delete the object.
    validation: false,
    preconditionOpts: { ifGenerationMatch: expect === 'absent' ? 0 : expect },
    metadata: {
      contentType,
      md5Hash: createHash('md5').update(body).digest('base64'),
      metadata: { ...metadata, [MARK]: mark },
    },
  } as const;
  let attempts = 0;
  return async () => {
    attempts += 1;
    if (!isExpectable(expect)) return 'stale';
    try {
      await file.save(bytes, options);
      return { generation: String(file.metadata.generation) };
    } catch (error) {
      // Of an upload in pieces the error is the network layer's.
      const unmet = statusOf(error) === 412;
      if (!unmet && !mayBeDone(error)) throw error;
      // An earlier attempt may have been given up while it was on its way.
      const written = attempts > 1 || !unmet ? await ownWrite(once, name, mark) : undefined;
      if (written !== undefined) return { generation: String(written.generation) };
      if (unmet) return 'stale';
      throw new Unavailable('Cloud Storage', error);
    }
  };
}

/**
 * What the client throws where it asks how far a broken upload came, and is told that it is at its
 * end: it reads that as a service that lost everything.
 */
export function mayBeDone(error: unknown): boolean {
  return error instanceof RangeError;
}

/** No generation is like what this refuses; and "0" would say `absent`. */
export function isExpectable(expect: BlobWrite['expect']): boolean {
  return expect === 'absent' || /^[1-9][0-9]*$/.test(expect);
}
