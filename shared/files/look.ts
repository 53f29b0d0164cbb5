import type { Blobs } from '../ports/blobs.ts';
import type {
  FileChange,
  Look,
  Repository,
  SeenCommit,
  SeenContent,
  SeenFile,
} from '../ports/workspaces.ts';
import { type Listing, listingOf } from './listing.ts';
import { readRun, runsOf } from './pack-runs.ts';
import { type PackCache, PackSet } from './pack-set.ts';
import { FOLDER, LINK, type Mode, PROGRAM } from './tree.ts';
import { blobPieces } from './unzip-blob.ts';

export interface LookPorts {
  readonly blobs: Blobs;
  readonly cache: PackCache;
}

/** What a commit holds and changed, by commits and trees alone, which stand in front of packs. */
export async function lookAt(
  { blobs, cache }: LookPorts,
  repository: Repository,
  id: string,
): Promise<Look> {
  const packs = await PackSet.open(blobs, cache, repository);
  const commit = seen(packs, id);
  const listing = listingOf(packs, packs.commit(id).tree);
  const [parent] = commit.parents;
  const before =
    parent === undefined
      ? NOTHING
      : packs.locate(parent) === undefined
        ? undefined
        : listingOf(packs, packs.commit(parent).tree).files;
  const files = [...listing.files].map(([path, { mode }]) => ({ path, kind: kindOf(mode) }));
  return {
    commit,
    files: files.toSorted(byPath),
    changes: before && changesOf(before, listing.files),
  };
}

export async function historyOf(
  { blobs, cache }: LookPorts,
  repository: Repository,
  ids: readonly string[],
): Promise<readonly SeenCommit[]> {
  const packs = await PackSet.open(blobs, cache, repository);
  return ids.flatMap((id) => (packs.locate(id) === undefined ? [] : [seen(packs, id)]));
}

export async function readFile(
  { blobs, cache }: LookPorts,
  repository: Repository,
  commit: string,
  path: string,
): Promise<SeenContent | undefined> {
  const packs = await PackSet.open(blobs, cache, repository);
  const names = path.split('/');
  let entries = packs.tree(packs.commit(commit).tree);
  for (const name of names.slice(0, -1)) {
    const folder = entries.find((entry) => entry.name === name && entry.mode === FOLDER);
    if (folder === undefined) return undefined;
    entries = packs.tree(folder.id);
  }
  const file = entries.find(({ mode, name }) => name === names.at(-1) && mode !== FOLDER);
  if (file === undefined) return undefined;
  const [run] = runsOf(packs, [file.id]);
  const [blob] = run === undefined ? [] : await readRun(blobs, repository.prefix, run);
  if (blob === undefined) return undefined;
  return { kind: kindOf(file.mode), bytes: blob.size, body: blobPieces(blob) };
}

const NOTHING: Listing['files'] = new Map();

function seen(packs: PackSet, id: string): SeenCommit {
  const { at, author, message, parents } = packs.commit(id);
  return { id, author, message, parents, at: at * 1_000 };
}

const kindOf = (mode: Mode): SeenFile['kind'] =>
  mode === LINK ? 'link' : mode === PROGRAM ? 'program' : 'file';

function changesOf(before: Listing['files'], after: Listing['files']): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, { id, mode }] of after) {
    const old = before.get(path);
    if (old === undefined) changes.push({ path, change: 'added' });
    else if (old.id !== id || old.mode !== mode) changes.push({ path, change: 'changed' });
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push({ path, change: 'removed' });
  return changes.toSorted(byPath);
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
