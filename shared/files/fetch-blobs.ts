import { pipeline, Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { Blobs } from '../ports/blobs.ts';
import { isFault, Unreadable } from '../ports/faults.ts';
import { headerAt } from './blob-sizes.ts';
import { packObjects, range, rangeStream } from './bucket.ts';
import { objectHash, objectId } from './object-id.ts';
import { decodeEntryHeader } from './pack-entry.ts';
import { missing, type OpenPack, type PackSet } from './pack-set.ts';
import { sideBySide } from './side-by-side.ts';
import { Slices, turn } from './turns.ts';
import { unzip } from './zipped.ts';

/** Where the content of files goes. */
export interface BlobSink {
  /** Content that was checked. */
  whole(id: string, body: Buffer): void;
  /** Content that is checked while it is read: it throws Unreadable, at its end at the latest. */
  streamed(id: string, body: AsyncIterable<Uint8Array>): Promise<void>;
}

interface Wanted {
  readonly id: string;
  readonly offset: number;
  readonly end: number;
}

interface Run {
  readonly pack: OpenPack;
  readonly wanted: readonly Wanted[];
}

/** One request takes up to so much, and skips up to so much that is not wanted. */
const LONGEST = 4 * 1024 * 1024;
const GAP = 64 * 1024;
/** Requests at a time: 24 MiB of memory. */
const WIDTH = 6;

/** Reads blobs by ranges of their packs, and hands each on as it comes. */
export async function fetchBlobs(
  blobs: Blobs,
  prefix: string,
  packs: PackSet,
  ids: Iterable<string>,
  sink: BlobSink,
): Promise<void> {
  const slices = new Slices();
  await sideBySide(runsOf(packs, ids), WIDTH, async ({ pack, wanted }) => {
    const [first] = wanted;
    const last = wanted.at(-1);
    if (first === undefined || last === undefined) return;
    if (last.end - first.offset > LONGEST) {
      await streamEntry(blobs, prefix, pack, first, sink);
      return;
    }
    const bytes =
      last.end <= pack.front.length
        ? pack.front.subarray(first.offset, last.end)
        : await range(blobs, packObjects(prefix, pack.ref.name).pack, first.offset, last.end);
    for (const { id, offset, end } of wanted) {
      const entry = bytes.subarray(offset - first.offset, end - first.offset);
      const { kind, size, length } = decodeEntryHeader(entry);
      const body = await unzip(entry.subarray(length), size);
      if (kind !== 'blob' || objectId('blob', body) !== id) throw new Unreadable('a file');
      sink.whole(id, body);
      if (slices.due(size)) await turn();
    }
  });
}

function runsOf(packs: PackSet, ids: Iterable<string>): readonly Run[] {
  const byPack = new Map<OpenPack, Wanted[]>();
  for (const id of ids) {
    const found = packs.locate(id);
    if (found === undefined) throw missing('blob', id);
    const { pack, offset, end } = found;
    const wanted = byPack.get(pack);
    if (wanted === undefined) byPack.set(pack, [{ id, offset, end }]);
    else wanted.push({ id, offset, end });
  }
  return [...byPack].flatMap(([pack, wanted]) => {
    wanted.sort((a, b) => a.offset - b.offset);
    const runs: { pack: OpenPack; wanted: Wanted[] }[] = [];
    let run: Wanted[] = [];
    for (const each of wanted) {
      const [first] = run;
      const before = run.at(-1);
      const joins =
        first !== undefined &&
        before !== undefined &&
        each.end - first.offset <= LONGEST &&
        each.offset - before.end <= GAP;
      if (joins) run.push(each);
      else {
        run = [each];
        runs.push({ pack, wanted: run });
      }
    }
    return runs;
  });
}

async function streamEntry(
  blobs: Blobs,
  prefix: string,
  pack: OpenPack,
  { id, offset, end }: Wanted,
  sink: BlobSink,
): Promise<void> {
  const { kind, size, length } = await headerAt(blobs, prefix, { pack, offset, end });
  const object = packObjects(prefix, pack.ref.name).pack;
  if (kind !== 'blob') throw new Unreadable('a file');
  const inflate = createInflate({ chunkSize: 1024 * 1024 });
  pipeline(
    Readable.from(rangeStream(blobs, object, offset + length, end)),
    inflate,
    () => undefined,
  );
  await sink.streamed(id, checked(inflate));

  async function* checked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const hash = objectHash('blob', size);
    let total = 0;
    try {
      for await (const chunk of chunks) {
        total += chunk.byteLength;
        if (total > size) break;
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      // What zlib can't read is no answer of the bucket.
      throw isFault(error) ? error : new Unreadable('a file', error);
    }
    if (total !== size || hash.digest('hex') !== id) throw new Unreadable('a file');
  }
}
