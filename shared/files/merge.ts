import type {
  CommitWords,
  Merged,
  MergeSides,
  Repository,
  WorkspaceLimits,
} from '../ports/workspaces.ts';
import { addObjects, type PackPorts } from './add-objects.ts';
import { sizesOf } from './blob-sizes.ts';
import { encodeCommit } from './commit-text.ts';
import { listingOf } from './listing.ts';
import { type DoneTwice, mergeTrees } from './merge-trees.ts';
import { objectId } from './object-id.ts';
import { PackSet } from './pack-set.ts';
import { smallObject } from './save.ts';
import { FOLDER, type TreeEntry } from './tree.ts';

/** Of the paths that overlap. */
const NAMED = 100;

/** Merges by trees, which are at hand or one request away; no file is read. */
export async function mergeCommits(
  ports: PackPorts,
  repository: Repository,
  { base, ours, theirs }: MergeSides,
  limits: WorkspaceLimits,
  words: CommitWords,
): Promise<Merged> {
  const packs = await PackSet.open(ports.blobs, ports.cache, repository);
  const merged = mergeTrees(packs, base?.tree, ours.tree, theirs.tree);
  const { overlaps, tree } = merged;
  if (overlaps.length > 0) {
    const paths = [...overlaps].sort().slice(0, NAMED);
    return { kind: 'overlap', paths, more: overlaps.length - paths.length };
  }
  const twice = await total(ports, repository, packs, merged.doneTwice);
  const count = ours.count + theirs.count - (base?.count ?? 0) - twice.count;
  const bytes = ours.bytes + theirs.bytes - (base?.bytes ?? 0) - twice.bytes;
  if (count > limits.count) return { kind: 'too-large', what: 'count', limit: limits.count };
  if (bytes > limits.bytes) return { kind: 'too-large', what: 'bytes', limit: limits.bytes };
  const text = encodeCommit(tree, words, Buffer.from(ports.ids.bytes(16)).toString('hex'));
  const commit = { id: objectId('commit', text), tree, count, bytes };
  // Also those that some pack has: it may be one that no live commit needs.
  const trees = new Map(merged.built.map((each) => [each.id, each.body]));
  const objects = await Promise.all([
    smallObject('commit', commit.id, text),
    ...[...trees].map(([id, body]) => smallObject('tree', id, body)),
  ]);
  return { kind: 'merged', saved: { commit, ...(await addObjects(ports, repository, objects)) } };
}

/** By how much files and bytes grew where both sides did the same. */
async function total(
  { blobs }: PackPorts,
  { prefix }: Repository,
  packs: PackSet,
  changes: readonly DoneTwice[],
): Promise<{ readonly count: number; readonly bytes: number }> {
  const times = new Map<string, number>();
  const add = (side: TreeEntry | undefined, by: number): void => {
    if (side === undefined) return;
    const ids =
      side.mode === FOLDER
        ? [...listingOf(packs, side.id).files.values()].map(({ id }) => id)
        : [side.id];
    for (const id of ids) times.set(id, (times.get(id) ?? 0) + by);
  };
  for (const { before, after } of changes) {
    add(before, -1);
    add(after, 1);
  }
  const changed = [...times].filter(([, by]) => by !== 0);
  const sizes = await sizesOf(
    blobs,
    prefix,
    packs,
    changed.map(([id]) => id),
  );
  return {
    count: changed.reduce((sum, [, by]) => sum + by, 0),
    bytes: changed.reduce((sum, [id, by]) => sum + by * (sizes.get(id) ?? 0), 0),
  };
}
