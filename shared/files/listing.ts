import { FOLDER, type Mode, type TreeEntry } from './tree.ts';

/** What a commit says that the folder holds. */
export interface Listing {
  /** Paths, a folder before what lies in it. */
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, { readonly id: string; readonly mode: Mode }>;
  /** Ids of its trees and blobs. */
  readonly ids: ReadonlySet<string>;
}

export interface Trees {
  tree(id: string): readonly TreeEntry[];
}

export function listingOf(trees: Trees, root: string): Listing {
  const folders = new Set<string>();
  const files = new Map<string, { id: string; mode: Mode }>();
  const ids = new Set<string>();
  const list = (tree: string, prefix: string): void => {
    ids.add(tree);
    for (const { name, mode, id } of trees.tree(tree)) {
      const path = `${prefix}${name}`;
      if (mode === FOLDER) {
        folders.add(path);
        list(id, `${path}/`);
      } else {
        files.set(path, { id, mode });
        ids.add(id);
      }
    }
  };
  list(root, '');
  return { folders, files, ids };
}
