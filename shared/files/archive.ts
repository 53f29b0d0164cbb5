import { crc32 } from 'node:zlib';
import type { Blobs } from '../ports/blobs.ts';
import { type FilesCommit, type Repository, WorkspaceRefused } from '../ports/workspaces.ts';
import { streamOnce } from './bucket.ts';
import { refusalOfLink, refusalOfPath } from './entry-rules.ts';
import { deflateBlocks, gzipMember, memberHead, memberTail } from './gzip-member.ts';
import { type Listing, listingOf } from './listing.ts';
import { readRun, runsOf, type ZippedBlob } from './pack-runs.ts';
import { type PackCache, PackSet } from './pack-set.ts';
import { BLOCK, padding, tarHeader } from './tar-header.ts';
import { FOLDER, LINK, type Mode } from './tree.ts';
import { blobPieces, wholeBlob, zlibPieces } from './unzip-blob.ts';

export interface ArchivePorts {
  readonly blobs: Blobs;
  readonly cache: PackCache;
}

interface Source {
  readonly blobs: Blobs;
  readonly prefix: string;
  readonly packs: PackSet;
  readonly listing: Listing;
  /** Seconds since the epoch, for all entries: git keeps no time of a file. */
  readonly changed: number;
}

/**
 * Writes a commit's files as `.tar.gz`, unless the object is there. What the packs hold is not
 * compressed again: an entry's deflate blocks become a member of the gzip file as they are, between
 * small members with the headers. Folders come first, links last.
 */
export async function archiveCommit(
  { blobs, cache }: ArchivePorts,
  repository: Repository,
  commit: FilesCommit,
  object: string,
): Promise<void> {
  if (await isThere(blobs, object)) return;
  const packs = await PackSet.open(blobs, cache, repository);
  const listing = listingOf(packs, commit.tree);
  for (const path of [...listing.folders, ...listing.files.keys()]) {
    const rule = refusalOfPath(path);
    if (rule !== undefined) throw new WorkspaceRefused(path, rule);
  }
  const { prefix } = repository;
  const source = { blobs, prefix, packs, listing, changed: packs.commit(commit.id).at };
  const open = () => ({ body: archived(source), result: () => undefined });
  await streamOnce(blobs, object, open, 'application/gzip');
}

async function isThere(blobs: Blobs, object: string): Promise<boolean> {
  const found = await blobs.getStream(object, { offset: 0, length: 1 });
  if (found === undefined) return false;
  const body = found.body[Symbol.asyncIterator]();
  await body.next();
  await body.return?.();
  return true;
}

async function* archived(source: Source): AsyncGenerator<Uint8Array> {
  const { blobs, prefix, packs, listing, changed } = source;
  const places = placesOf(listing);
  const links: Buffer[] = [];
  /** What fills the last block of the file before. */
  let rest = padding(0);
  const folders = [...listing.folders].map((path) =>
    tarHeader({ path, mode: FOLDER, size: 0, changed }),
  );
  if (folders.length > 0) yield gzipMember(Buffer.concat(folders));
  for await (const blob of blobsOf(blobs, prefix, packs, places.keys())) {
    for (const { path, mode } of places.get(blob.id) ?? []) {
      if (mode === LINK) links.push(await linkHeader(path, blob, changed));
      else {
        const header = tarHeader({ path, mode, size: blob.size, changed });
        yield gzipMember(Buffer.concat([rest, header]));
        yield* contentMember(blob);
        rest = padding(blob.size);
      }
    }
  }
  yield gzipMember(Buffer.concat([rest, ...links, Buffer.alloc(2 * BLOCK)]));
}

function placesOf({ files }: Listing): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const [path, { id, mode }] of files) {
    const others = places.get(id);
    if (others === undefined) places.set(id, [{ path, mode }]);
    else others.push({ path, mode });
  }
  return places;
}

interface Place {
  readonly path: string;
  readonly mode: Mode;
}

/** The next request is under way while the blobs of the last one are written. */
async function* blobsOf(
  blobs: Blobs,
  prefix: string,
  packs: PackSet,
  ids: Iterable<string>,
): AsyncGenerator<ZippedBlob> {
  const runs = runsOf(packs, ids);
  const read = (at: number) => {
    const run = runs[at];
    const reading = run === undefined ? undefined : readRun(blobs, prefix, run);
    // Thrown where it is waited for; until then it is no rejection that was not handled.
    reading?.catch(() => undefined);
    return reading;
  };
  let next = read(0);
  for (let at = 1; next !== undefined; at += 1) {
    const found = await next;
    next = read(at);
    yield* found;
  }
}

async function linkHeader(path: string, blob: ZippedBlob, changed: number): Promise<Buffer> {
  const target = (await wholeBlob(blob))?.toString() ?? '';
  const rule = refusalOfLink(path, target);
  if (rule !== undefined) throw new WorkspaceRefused(path, rule);
  return tarHeader({ path, mode: LINK, size: 0, target, changed });
}

/** Checked before it is written; what is large is read twice for it. */
async function* contentMember(blob: ZippedBlob): AsyncGenerator<Uint8Array> {
  if (blob.size === 0) return;
  let crc = 0;
  const body = await wholeBlob(blob);
  if (body !== undefined) crc = crc32(body);
  else for await (const piece of blobPieces(blob)) crc = crc32(piece, crc);
  yield memberHead();
  yield* deflateBlocks(zlibPieces(blob.zlib));
  yield memberTail(crc, blob.size);
}
