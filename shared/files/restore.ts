import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Blobs } from '../ports/blobs.ts';
import { type WorkspaceLimits, WorkspaceRefused } from '../ports/workspaces.ts';
import { refusalOfLink, refusalOfPath } from './entry-rules.ts';
import { fetchBlobs } from './fetch-blobs.ts';
import { diskTime, KnownFiles } from './known-files.ts';
import type { Listing } from './listing.ts';
import type { PackSet } from './pack-set.ts';
import { LINK, type Mode } from './tree.ts';
import { type FolderNode, walk } from './walk.ts';
import { wipe } from './wipe.ts';
import { placeDraft, writeDraft, writeFile, writtenOf, type Written } from './write-file.ts';

export interface RestorePorts {
  readonly blobs: Blobs;
  /** A folder on the same disk, for what is not a file of the workspace yet. */
  readonly drafts: string;
}

export interface Target {
  /** Absolute; exists. */
  readonly folder: string;
  /** What this process knows of what lies there; nothing is, where that is undefined. */
  readonly known: KnownFiles | undefined;
  readonly limits: WorkspaceLimits;
}

/**
 * Makes the folder hold exactly the listing: what is there and unchanged stays, all else goes, and
 * what is missing is fetched. A file has its name only when its content was checked. Links come
 * last, so that nothing is written through one. Throws WorkspaceRefused before it writes.
 */
export async function restore(
  { blobs, drafts }: RestorePorts,
  { folder, known, limits }: Target,
  listing: Listing,
  source: { readonly prefix: string; readonly packs: PackSet },
): Promise<KnownFiles> {
  for (const path of [...listing.folders, ...listing.files.keys()]) {
    const rule = refusalOfPath(path);
    if (rule !== undefined) throw new WorkspaceRefused(path, rule);
  }
  const kept = known === undefined ? new Set<string>() : await keep(folder, known, limits, listing);
  for (const path of listing.folders) mkdirSync(join(folder, path), { recursive: true });

  const places = new Map<string, Place[]>();
  for (const [path, { id, mode }] of listing.files) {
    if (kept.has(path)) continue;
    const place = { path: join(folder, path), mode, name: path };
    const others = places.get(id);
    if (others === undefined) places.set(id, [place]);
    else others.push(place);
  }
  const found = new KnownFiles();
  for (const path of kept) found.take(path, known);
  const written: WrittenFile[] = [];
  const links: { readonly place: Place; readonly id: string; readonly target: string }[] = [];
  await fetchBlobs(blobs, source.prefix, source.packs, places.keys(), {
    whole(id, body) {
      for (const place of places.get(id) ?? []) {
        if (place.mode === LINK) links.push({ place, id, target: linkTarget(place, body) });
        else written.push({ ...place, id, ...writeFile(place.path, body, place.mode) });
      }
    },
    async streamed(id, body) {
      const draft = join(drafts, id);
      await writeDraft(draft, body);
      const all = placeDraft(draft, places.get(id) ?? []);
      written.push(...all.map((file) => ({ ...file, id })));
    },
  });
  for (const { place, id, target } of links) {
    symlinkSync(target, place.path);
    written.push({ ...place, id, ...writtenOf(lstatSync(place.path, { bigint: true })) });
  }
  const seenAt = diskTime(drafts);
  for (const file of written) found.set({ ...file, path: file.name }, seenAt);
  return found;
}

interface Place {
  /** Absolute. */
  readonly path: string;
  readonly mode: Mode;
  /** Relative to the folder. */
  readonly name: string;
}

type WrittenFile = Place & Written & { readonly id: string };

function linkTarget({ name }: Place, body: Buffer): string {
  const target = body.toString();
  const rule = refusalOfLink(name, target);
  if (rule !== undefined) throw new WorkspaceRefused(name, rule);
  return target;
}

/** Removes what the listing has otherwise or not at all, and answers the paths that stay. */
async function keep(
  folder: string,
  known: KnownFiles,
  limits: WorkspaceLimits,
  listing: Listing,
): Promise<Set<string>> {
  const kept = new Set<string>();
  const clean = ({ files, folders }: FolderNode): void => {
    for (const file of files) {
      const wanted = listing.files.get(file.path);
      const same = wanted?.mode === file.mode && known.vouchedId(file) === wanted.id;
      if (same) kept.add(file.path);
      else rmSync(join(folder, file.path), { force: true });
    }
    for (const below of folders) {
      if (listing.folders.has(below.path)) clean(below);
      else wipe(join(folder, below.path));
    }
  };
  try {
    clean((await walk(folder, limits)).root);
  } catch {
    // What a lost segment left may be nothing that we can keep, or not even look at.
    kept.clear();
    wipe(folder);
    mkdirSync(folder, { mode: 0o700 });
  }
  return kept;
}
