import { buffer } from 'node:stream/consumers';
import type {
  Blob,
  BlobEntry,
  Blobs,
  BlobStream,
  BlobWrite,
  BlobWritten,
  ByteRange,
} from '../shared/ports/blobs.ts';
import { requireObjectName } from '../shared/ports/object-name.ts';
import type { Clock } from '../shared/ports/clock.ts';

interface StoredBlob extends Blob {
  readonly createdAt: number;
}

/** Objects in memory; each call happens at once and whole. */
export class MemoryBlobs implements Blobs {
  readonly objects = new Map<string, StoredBlob>();
  readonly #clock: Pick<Clock, 'now'>;
  #generation = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  async get(name: string): Promise<Blob | undefined> {
    requireObjectName(name);
    const found = this.objects.get(name);
    if (found === undefined) return undefined;
    const { body, contentType, generation, metadata } = found;
    return { body, contentType, generation, metadata };
  }

  async getStream(name: string, range?: ByteRange): Promise<BlobStream | undefined> {
    requireObjectName(name);
    const found = this.objects.get(name);
    if (found === undefined) return undefined;
    const { offset, length = Infinity } = range ?? { offset: 0 };
    return {
      size: found.body.byteLength,
      body: piecesOf(found.body.subarray(offset, offset + length)),
    };
  }

  async put(name: string, body: Uint8Array, write: BlobWrite): Promise<BlobWritten> {
    requireObjectName(name);
    const present = this.objects.get(name)?.generation ?? 'absent';
    if (present !== write.expect) return 'stale';
    this.#generation += 1;
    const generation = String(this.#generation);
    const { contentType, metadata = {} } = write;
    const createdAt = this.#clock.now();
    this.objects.set(name, {
      body: new Uint8Array(body),
      contentType,
      generation,
      metadata,
      createdAt,
    });
    return { generation };
  }

  async putStream(
    name: string,
    body: AsyncIterable<Uint8Array>,
    write: BlobWrite,
  ): Promise<BlobWritten> {
    return this.put(name, await buffer(body), write);
  }

  async delete(name: string): Promise<void> {
    requireObjectName(name);
    this.objects.delete(name);
  }

  async list(prefix: string, limit: number, after = ''): Promise<readonly BlobEntry[]> {
    return [...this.objects]
      .filter(([name]) => name.startsWith(prefix) && Buffer.compare(bytes(name), bytes(after)) > 0)
      .sort(([a], [b]) => Buffer.compare(bytes(a), bytes(b)))
      .slice(0, limit)
      .map(([name, { body, createdAt }]) => ({ name, size: body.byteLength, createdAt }));
  }
}

const bytes = (text: string): Buffer => Buffer.from(text);
const PIECE = 64 * 1024;

async function* piecesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.byteLength; at += PIECE) yield body.subarray(at, at + PIECE);
}
