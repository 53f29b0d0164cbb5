import type { Blobs } from '../ports/blobs.ts';
import { readRun, runsOf } from './pack-runs.ts';
import type { PackSet } from './pack-set.ts';
import { sideBySide } from './side-by-side.ts';
import { Slices, turn } from './turns.ts';
import { blobPieces, wholeBlob } from './unzip-blob.ts';

/** Where the content of files goes. */
export interface BlobSink {
  /** Content that was checked. */
  whole(id: string, body: Buffer): void;
  /** Content that is checked while it is read: it throws Unreadable, at its end at the latest. */
  streamed(id: string, body: AsyncIterable<Uint8Array>): Promise<void>;
}

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
  await sideBySide(runsOf(packs, ids), WIDTH, async (run) => {
    for (const blob of await readRun(blobs, prefix, run)) {
      const body = await wholeBlob(blob);
      if (body === undefined) await sink.streamed(blob.id, blobPieces(blob));
      else sink.whole(blob.id, body);
      if (slices.due(body?.length ?? 0)) await turn();
    }
  });
}
