import type { Blobs } from '../ports/blobs.ts';
import { packObjects, range } from './bucket.ts';
import { type EntryHeader, decodeEntryHeader, LONGEST_HEADER } from './pack-entry.ts';
import { type Located, missing, type PackSet } from './pack-set.ts';
import { sideBySide } from './side-by-side.ts';

const WIDTH = 6;

/** Sizes of blobs in bytes, by the headers of their entries. */
export async function sizesOf(
  blobs: Blobs,
  prefix: string,
  packs: PackSet,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sizes = await sideBySide(ids, WIDTH, async (id) => {
    const found = packs.locate(id);
    if (found === undefined) throw missing('blob', id);
    const { size } = await headerAt(blobs, prefix, found);
    return [id, size] as const;
  });
  return new Map(sizes);
}

export async function headerAt(
  blobs: Blobs,
  prefix: string,
  { pack, offset, end }: Located,
): Promise<EntryHeader> {
  const to = Math.min(end, offset + LONGEST_HEADER);
  if (to <= pack.front.length) return decodeEntryHeader(pack.front.subarray(offset, to));
  const object = packObjects(prefix, pack.ref.name).pack;
  return decodeEntryHeader(await range(blobs, object, offset, to));
}
