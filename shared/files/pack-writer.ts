import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Blobs } from '../ports/blobs.ts';
import type { Ids } from '../ports/ids.ts';
import type { PackRef } from '../ports/workspaces.ts';
import { packObjects, putOnce, streamOnce } from './bucket.ts';
import type { ObjectKind } from './object-id.ts';
import { encodeIndex, type IndexEntry } from './pack-index.ts';

/** An object on its way into a pack. */
export interface PackObject {
  readonly id: string;
  readonly kind: ObjectKind;
  /** About how many bytes it will take there; never much less. */
  readonly bytes: number;
  /** Its entry as it will stand in the pack, in one piece or several; may be asked for again. */
  entry(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A pack that is in the bucket, and what this process need not read again. */
export interface WrittenPack {
  readonly ref: PackRef;
  readonly index: Buffer;
  /** The front section; all of the pack where it was small. */
  readonly front: Buffer;
}

/** Up to here a pack is gathered in memory, and its two objects are uploaded side by side. */
const SMALL = 8 * 1024 * 1024;
const NAME = 20;

/**
 * Writes a pack and its index, version 2, without deltas: commits and trees in front, then blobs in
 * the order given. The name is random, so no object of that name can be there.
 */
export async function writePack(
  { blobs, ids }: { readonly blobs: Blobs; readonly ids: Ids },
  prefix: string,
  objects: readonly PackObject[],
): Promise<WrittenPack> {
  const name = Buffer.from(ids.bytes(NAME)).toString('hex');
  const place = packObjects(prefix, name);
  const sorted = [
    ...objects.filter(({ kind }) => kind !== 'blob'),
    ...objects.filter(({ kind }) => kind === 'blob'),
  ];
  const expected = sorted.reduce((sum, { bytes }) => sum + bytes, 0);
  if (expected > SMALL) {
    const written = await streamOnce(blobs, place.pack, () => {
      const stream = new PackStream(sorted);
      return { body: stream.chunks(), result: () => stream.written(name) };
    });
    await putOnce(blobs, place.index, written.index);
    return written;
  }
  const stream = new PackStream(sorted);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.chunks()) chunks.push(chunk);
  const written = stream.written(name);
  const pack = Buffer.concat(chunks);
  await Promise.all([putOnce(blobs, place.pack, pack), putOnce(blobs, place.index, written.index)]);
  return { ...written, front: pack };
}

/** One pack while it is made. */
class PackStream {
  readonly #objects: readonly PackObject[];
  readonly #entries: IndexEntry[] = [];
  readonly #front: Uint8Array[] = [];
  readonly #hash = createHash('sha1');
  #trailer = Buffer.alloc(0);
  #bytes = 0;
  #frontBytes: number | undefined;

  constructor(objects: readonly PackObject[]) {
    this.#objects = objects;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const head = Buffer.alloc(12);
    head.write('PACK');
    head.writeUInt32BE(2, 4);
    head.writeUInt32BE(this.#objects.length, 8);
    yield this.#passed(head);
    for (const object of this.#objects) {
      if (object.kind === 'blob') this.#frontBytes ??= this.#bytes;
      const offset = this.#bytes;
      let crc = 0;
      for await (const chunk of object.entry()) {
        crc = crc32(chunk, crc);
        yield this.#passed(chunk);
      }
      this.#entries.push({ id: object.id, offset, crc });
    }
    this.#frontBytes ??= this.#bytes;
    this.#trailer = this.#hash.digest();
    this.#bytes += this.#trailer.length;
    yield this.#trailer;
  }

  /** To be called when all chunks were taken. */
  written(name: string): WrittenPack {
    const frontBytes = this.#frontBytes ?? 0;
    return {
      ref: { name, bytes: this.#bytes, objects: this.#entries.length, frontBytes },
      index: encodeIndex(this.#entries, this.#trailer),
      front: Buffer.concat(this.#front),
    };
  }

  #passed(chunk: Uint8Array): Uint8Array {
    if (this.#frontBytes === undefined) this.#front.push(chunk);
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
    return chunk;
  }
}
