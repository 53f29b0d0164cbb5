import type { Blobs } from '../ports/blobs.ts';
import type { Ids } from '../ports/ids.ts';
import type { PackRef, Repository, Saved } from '../ports/workspaces.ts';
import { EntryReader } from './entry-reader.ts';
import { isAtHand, type PackCache, PackSet, remember } from './pack-set.ts';
import { type PackObject, writePack } from './pack-writer.ts';

export interface PackPorts {
  readonly blobs: Blobs;
  readonly ids: Ids;
  readonly cache: PackCache;
}

/** A pack that is smaller than so many times all that is younger joins it. */
const FACTOR = 2;
/** Of one gathering, in bytes: what a small task may have to upload besides its own. */
const GATHERED = 32 * 1024 * 1024;
/** Up to here a pack that this process would have to fetch for it is let be: that is a wait. */
const MANY = 12;
/** A pack takes so many bytes of content: an upload that is lost costs no more. */
const PACK = 128 * 1024 * 1024;

/**
 * Uploads objects, and with them the entries of the youngest packs while these are small: so the
 * number of packs grows with the logarithm of what was written, or stays at a dozen where each task
 * has a process of its own.
 */
export async function addObjects(
  ports: PackPorts,
  repository: Repository,
  objects: readonly PackObject[],
): Promise<Pick<Saved, 'added' | 'replaced'>> {
  const { blobs, cache } = ports;
  const { prefix } = repository;
  const youngest = toGather(repository, objects, cache);
  const gathered = await PackSet.open(blobs, cache, { prefix, packs: youngest });
  const taken = new Set(objects.map(({ id }) => id));
  const all = [...objects];
  const readers = gathered.packs.map((pack) => new EntryReader(blobs, prefix, pack));
  await Promise.all(readers.map((reader) => reader.prepare()));
  for (const reader of readers) {
    const fresh = reader.entries((id) => !taken.has(id));
    for (const { id } of fresh) taken.add(id);
    all.push(...fresh);
  }
  const added: PackRef[] = [];
  for (const share of shares(all)) {
    const written = await writePack(ports, prefix, share);
    remember(cache, prefix, written);
    added.push(written.ref);
  }
  return { added, replaced: youngest.map(({ name }) => name) };
}

function toGather(
  { prefix, packs }: Repository,
  objects: readonly PackObject[],
  cache: PackCache,
): readonly PackRef[] {
  let younger = objects.reduce((sum, { bytes }) => sum + bytes, 0);
  let from = packs.length;
  for (const pack of packs.toReversed()) {
    if (pack.bytes >= FACTOR * younger || younger + pack.bytes > GATHERED) break;
    if (packs.length <= MANY && !isAtHand(cache, prefix, pack)) break;
    younger += pack.bytes;
    from -= 1;
  }
  return packs.slice(from);
}

/** Commits and trees, which are small, go into the first pack. */
function shares(objects: readonly PackObject[]): readonly (readonly PackObject[])[] {
  const front = objects.filter(({ kind }) => kind !== 'blob');
  let share = [...front];
  let bytes = 0;
  const all = [share];
  for (const object of objects) {
    if (object.kind === 'blob') {
      if (bytes > 0 && bytes + object.bytes > PACK) {
        share = [];
        bytes = 0;
        all.push(share);
      }
      share.push(object);
      bytes += object.bytes;
    }
  }
  return all;
}
