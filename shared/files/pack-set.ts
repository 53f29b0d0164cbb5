import type { Blobs } from '../ports/blobs.ts';
import { Fault, Unreadable } from '../ports/faults.ts';
import type { PackRef, Repository } from '../ports/workspaces.ts';
import { packObjects, range, whole } from './bucket.ts';
import { ByteCache } from './byte-cache.ts';
import { type CommitText, decodeCommit } from './commit-text.ts';
import { EMPTY_TREE, type ObjectKind, objectId } from './object-id.ts';
import { decodeEntryHeader } from './pack-entry.ts';
import { PackIndex } from './pack-index.ts';
import type { WrittenPack } from './pack-writer.ts';
import { sideBySide } from './side-by-side.ts';
import { decodeTree, type TreeEntry } from './tree.ts';
import { unzipNow } from './zipped.ts';

/** A pack whose index and front section are at hand. */
export interface OpenPack {
  readonly ref: PackRef;
  readonly index: PackIndex;
  /** From the beginning of the pack; the front section at least. */
  readonly front: Buffer;
  readonly bytes: number;
}

/** Where an object's entry lies. */
export interface Located {
  readonly pack: OpenPack;
  readonly offset: number;
  readonly end: number;
}

/** Requests at a time. */
const WIDTH = 16;

/** Indexes and front sections that this process has read or written. */
export type PackCache = ByteCache<OpenPack>;

export function packCache(bytes: number): PackCache {
  return new ByteCache(bytes);
}

/** Keeps what was just written from being read again. */
export function remember(cache: PackCache, prefix: string, written: WrittenPack): void {
  const { ref, index, front } = written;
  const bytes = index.length + front.length;
  cache.set(keyOf(prefix, ref.name), { ref, index: new PackIndex(index), front, bytes });
}

/** Whether this process holds all of a pack. */
export function isAtHand(cache: PackCache, prefix: string, { name, bytes }: PackRef): boolean {
  return cache.get(keyOf(prefix, name))?.front.length === bytes;
}

/** The packs of a repository, to find objects in. */
export class PackSet {
  readonly packs: readonly OpenPack[];

  private constructor(packs: readonly OpenPack[]) {
    this.packs = packs;
  }

  /** Reads what is not at hand. Throws PackGone, Unreadable, Unavailable. */
  static async open(blobs: Blobs, cache: PackCache, repository: Repository): Promise<PackSet> {
    const { prefix, packs } = repository;
    const open = await sideBySide(packs, WIDTH, async (ref) => {
      const held = cache.get(keyOf(prefix, ref.name));
      if (held !== undefined) return held;
      const place = packObjects(prefix, ref.name);
      const [bytes, front] = await Promise.all([
        whole(blobs, place.index),
        range(blobs, place.pack, 0, ref.frontBytes),
      ]);
      const index = new PackIndex(bytes);
      const pack = { ref, index, front, bytes: bytes.length + front.length };
      cache.set(keyOf(prefix, ref.name), pack);
      return pack;
    });
    return new PackSet(open);
  }

  /** The newest pack that has it. */
  locate(id: string): Located | undefined {
    for (const pack of this.packs.toReversed()) {
      const offset = pack.index.find(id);
      if (offset !== undefined) {
        return { pack, offset, end: pack.index.endOf(offset, pack.ref.bytes) };
      }
    }
    return undefined;
  }

  tree(id: string): readonly TreeEntry[] {
    return id === EMPTY_TREE ? [] : decodeTree(this.#front('tree', id));
  }

  commit(id: string): CommitText {
    return decodeCommit(this.#front('commit', id));
  }

  /** Commits and trees stand in the front section of each pack. */
  #front(kind: ObjectKind, id: string): Buffer {
    const found = this.locate(id);
    if (found === undefined) throw missing(kind, id);
    const entry = found.pack.front.subarray(found.offset, found.end);
    if (entry.length !== found.end - found.offset) throw new Unreadable('a pack');
    const header = decodeEntryHeader(entry);
    const body = unzipNow(entry.subarray(header.length), header.size);
    if (header.kind !== kind || objectId(kind, body) !== id) throw new Unreadable(`a ${kind}`);
    return body;
  }
}

/** An object that no listed pack has: the row and the packs don't fit together. */
export function missing(kind: ObjectKind, id: string): Fault {
  return new Fault('Unreadable', 'stop', `no pack has the ${kind} ${id}`);
}

function keyOf(prefix: string, name: string): string {
  return `${prefix}/${name}`;
}
