import { objectId } from './object-id.ts';
import { encodeTree, FOLDER, type TreeEntry } from './tree.ts';
import type { FolderNode } from './walk.ts';

export interface BuiltTree {
  readonly id: string;
  readonly body: Buffer;
}

/** The trees of a folder whose files have their ids: children first, the folder's own last. */
export function buildTrees(root: FolderNode): readonly BuiltTree[] {
  const trees: BuiltTree[] = [];
  const build = ({ files, folders }: FolderNode): string => {
    const entries: TreeEntry[] = folders.map((folder) => ({
      name: folder.name,
      mode: FOLDER,
      id: build(folder),
    }));
    for (const { name, mode, id } of files) entries.push({ name, mode, id });
    const tree = builtTree(entries);
    trees.push(tree);
    return tree.id;
  };
  build(root);
  return trees;
}

export function builtTree(entries: readonly TreeEntry[]): BuiltTree {
  const body = encodeTree(entries);
  return { id: objectId('tree', body), body };
}

/** All files of the folder, and of those in it. */
export function* filesOf(folder: FolderNode): Generator<FolderNode['files'][number]> {
  yield* folder.files;
  for (const below of folder.folders) yield* filesOf(below);
}
