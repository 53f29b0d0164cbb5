import type { Blobs } from '../ports/blobs.ts';
import { Unreadable } from '../ports/faults.ts';
import { headerAt } from './blob-sizes.ts';
import { packObjects, range, rangeStream } from './bucket.ts';
import { decodeEntryHeader } from './pack-entry.ts';
import { missing, type OpenPack, type PackSet } from './pack-set.ts';

/** Neighbours in a pack, which one request brings. */
export interface PackRun {
  readonly pack: OpenPack;
  readonly wanted: readonly Wanted[];
}

interface Wanted {
  readonly id: string;
  readonly offset: number;
  readonly end: number;
}

/** A blob as it stands in its pack, not checked yet. */
export interface ZippedBlob {
  readonly id: string;
  /** Inflated. */
  readonly size: number;
  /** A zlib stream, in one piece where it is at hand. */
  readonly zlib: Buffer | (() => AsyncIterable<Uint8Array>);
}

/** One request takes up to so much, and skips up to so much that is not wanted. */
const LONGEST = 4 * 1024 * 1024;
const GAP = 64 * 1024;

/** Where blobs lie, in the order of their packs. */
export function runsOf(packs: PackSet, ids: Iterable<string>): readonly PackRun[] {
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

/** The blobs of a run. One that is longer than a request may be is a stream. */
export async function readRun(
  blobs: Blobs,
  prefix: string,
  { pack, wanted }: PackRun,
): Promise<readonly ZippedBlob[]> {
  const [first] = wanted;
  const last = wanted.at(-1);
  if (first === undefined || last === undefined) return [];
  const object = packObjects(prefix, pack.ref.name).pack;
  if (last.end - first.offset > LONGEST) {
    const { id, offset, end } = first;
    const { kind, size, length } = await headerAt(blobs, prefix, { pack, offset, end });
    if (kind !== 'blob') throw new Unreadable('a file');
    return [{ id, size, zlib: () => rangeStream(blobs, object, offset + length, end) }];
  }
  const bytes =
    last.end <= pack.front.length
      ? pack.front.subarray(first.offset, last.end)
      : await range(blobs, object, first.offset, last.end);
  return wanted.map(({ id, offset, end }) => {
    const entry = bytes.subarray(offset - first.offset, end - first.offset);
    const { kind, size, length } = decodeEntryHeader(entry);
    if (kind !== 'blob') throw new Unreadable('a file');
    return { id, size, zlib: entry.subarray(length) };
  });
}
