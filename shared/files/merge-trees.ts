import { type BuiltTree, builtTree } from './build-trees.ts';
import { refusalOfNames } from './entry-rules.ts';
import type { Trees } from './listing.ts';
import { EMPTY_TREE } from './object-id.ts';
import { FOLDER, type TreeEntry } from './tree.ts';

type Side = TreeEntry | undefined;

/** What both sides did alike, which the sum of their changes has twice. */
export interface DoneTwice {
  readonly before: Side;
  readonly after: Side;
}

export interface MergedTrees {
  /** Children first, the root last; only where a folder was changed on both sides. */
  readonly built: readonly BuiltTree[];
  readonly tree: string;
  /** Paths that both sides changed, each in its way. */
  readonly overlaps: readonly string[];
  readonly doneTwice: readonly DoneTwice[];
}

/**
 * Three-way, by path, and never within a file. What one side changed is taken from it; changed by
 * both to the same is no overlap. Overlaps are a file that one side changed and the other changed
 * or deleted, a file beside a folder of its name, and two names that differ by case or accents.
 * Subtrees that are equal are not opened.
 */
export function mergeTrees(
  trees: Trees,
  base: string | undefined,
  ours: string,
  theirs: string,
): MergedTrees {
  const built: BuiltTree[] = [];
  const overlaps: string[] = [];
  const doneTwice: DoneTwice[] = [];

  function mergeEntry(path: string, before: Side, our: Side, their: Side): Side {
    if (isSame(our, their)) {
      if (!isSame(before, our)) doneTwice.push({ before, after: our });
      return our;
    }
    if (isSame(before, our)) return their;
    if (isSame(before, their)) return our;
    if (isFile(our) || isFile(their)) {
      // One side put a file in the place of a folder that the other removed.
      const alone = our ?? their;
      if (before?.mode === FOLDER && (our === undefined || their === undefined)) {
        doneTwice.push({ before, after: undefined });
        return alone;
      }
      overlaps.push(path);
      return our;
    }
    if (isFile(before)) doneTwice.push({ before, after: undefined });
    const merged = mergeFolders(path, isFile(before) ? undefined : before, our, their);
    // A folder that one side removed is there for what the other put into it, if for anything.
    const removed = our === undefined || their === undefined;
    return removed && merged.id === EMPTY_TREE ? undefined : merged;
  }

  function mergeFolders(path: string, before: Side, our: Side, their: Side): TreeEntry {
    const name = our?.name ?? their?.name ?? '';
    const sides = [before, our, their].map((side) => entriesOf(trees, side));
    const names = new Set(sides.flatMap((side) => [...side.keys()]));
    const entries: TreeEntry[] = [];
    for (const each of names) {
      const place = path === '' ? each : `${path}/${each}`;
      const [b, o, t] = sides.map((side) => side.get(each));
      const entry = mergeEntry(place, b, o, t);
      if (entry !== undefined) entries.push(entry);
    }
    const clash = refusalOfNames(entries.map((entry) => entry.name));
    if (clash !== undefined) overlaps.push(path === '' ? clash.name : `${path}/${clash.name}`);
    const tree = builtTree(entries);
    built.push(tree);
    return { name, mode: FOLDER, id: tree.id };
  }

  const root = (id: string | undefined): Side =>
    id === undefined ? undefined : { name: '', mode: FOLDER, id };
  const merged = mergeEntry('', root(base), root(ours), root(theirs));
  return { built, tree: merged?.id ?? ours, overlaps, doneTwice };
}

function entriesOf(trees: Trees, folder: Side): ReadonlyMap<string, TreeEntry> {
  const entries = folder === undefined ? [] : trees.tree(folder.id);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function isFile(side: Side): boolean {
  return side !== undefined && side.mode !== FOLDER;
}

function isSame(a: Side, b: Side): boolean {
  return a?.id === b?.id && a?.mode === b?.mode;
}
