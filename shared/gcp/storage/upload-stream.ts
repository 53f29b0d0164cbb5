import { createHash, randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Millis } from '../../domain/brand.ts';
import type { BlobWrite, BlobWritten } from '../../ports/blobs.ts';
import { Unavailable } from '../../ports/faults.ts';
import { NoAnswer } from '../answered.ts';
import type { StorageClient } from './client.ts';
import { faultOf, statusOf } from './outcome.ts';
import { MARK, ownWrite } from './present-object.ts';
import { mayBeDone } from './write-object.ts';

/**
 * One piece is kept until the service has it, so that it can be sent again; the one that follows is
 * on its way in. Both are all that an upload keeps.
 */
export const PIECE = 8 * 1024 * 1024;

/** An error of the body that was to be written; no fault of the service. */
class BodyFailed extends Error {}

/**
 * Sends a body of unknown size in pieces, each of which is sent again where it was lost
 * (https://cloud.google.com/storage/docs/performing-resumable-uploads). The object appears with its
 * last piece. A service that takes nothing for `deadline` milliseconds is Unavailable; a slow body
 * is waited for.
 */
export async function uploadStream(
  { once, resuming }: StorageClient,
  name: string,
  body: AsyncIterable<Uint8Array>,
  { contentType, metadata, expect }: BlobWrite,
  deadline: Millis,
): Promise<BlobWritten> {
  const mark = randomUUID();
  const hash = createHash('md5');
  const file = resuming.file(name);
  const sink = file.createWriteStream({
    resumable: true,
    chunkSize: PIECE,
    validation: false,
    preconditionOpts: { ifGenerationMatch: expect === 'absent' ? 0 : expect },
    metadata: { contentType, metadata: { ...metadata, [MARK]: mark } },
  });
  const silence = new SilenceTimer(deadline);
  try {
    await pipeline(hashed(body, hash, silence), sink, { signal: silence.signal });
  } catch (error) {
    if (error instanceof BodyFailed) throw error.cause;
    if (silence.signal.aborted) throw new NoAnswer('Cloud Storage', deadline);
    const unmet = statusOf(error) === 412;
    if (!unmet && !mayBeDone(error)) throw faultOf(error);
    // A repetition behind our back may have met its own predecessor.
    const written = await ownWrite(once, name, mark);
    if (written === undefined && unmet) return 'stale';
    if (written === undefined) throw new Unavailable('Cloud Storage', error);
    file.metadata = written;
  } finally {
    silence.stop();
  }
  const { generation, md5Hash } = file.metadata;
  if (md5Hash !== hash.digest('base64')) {
    // The sum is known only at the end, so the service could not compare it before it wrote.
    await once.file(name, { generation: String(generation) }).delete();
    throw new Unavailable('Cloud Storage', new Error('a body arrived damaged'));
  }
  return { generation: String(generation) };
}

async function* hashed(
  body: AsyncIterable<Uint8Array>,
  hash: { update(piece: Uint8Array): unknown },
  silence: SilenceTimer,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      hash.update(piece);
      silence.start();
      yield piece;
      silence.stop();
    }
  } catch (error) {
    throw new BodyFailed('the body', { cause: error });
  }
  silence.start();
}

/** Aborts when it has run for that long; runs only while the service is waited for. */
class SilenceTimer {
  readonly #abort = new AbortController();
  readonly #deadline: Millis;
  #timer: NodeJS.Timeout | undefined;

  constructor(deadline: Millis) {
    this.#deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#abort.abort(), this.#deadline);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
