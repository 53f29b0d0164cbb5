import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../domain/digest.ts';
import type { KnownFiles } from './known-files.ts';
import { wipe } from './wipe.ts';

/** A folder that is in use, or was left for the next one that opens the same repository. */
export interface WarmFolder {
  /** Absolute. */
  readonly path: string;
  readonly prefix: string;
  /** What lies in it; undefined when that is not known. */
  readonly known: KnownFiles | undefined;
  readonly bytes: number;
  /** The tree that it held last. */
  readonly tree: string | undefined;
}

/**
 * Folders of contexts, kept up to a number of bytes while no one uses them; the one that was used
 * longest ago goes first. A repository's folder is handed to the same repository only.
 */
export class WarmFolders {
  readonly #root: string;
  readonly #limit: number;
  #idle: readonly WarmFolder[] = [];
  /** Paths of folders in use, and their repositories. */
  readonly #lent = new Map<string, string>();
  /** Paths of folders in use that are to go when they are given back. */
  readonly #barred = new Set<string>();
  #made = 0;

  /** What lies under the root is removed: it belongs to a process that is gone. */
  constructor(root: string, limit: number) {
    wipe(root);
    mkdirSync(root, { recursive: true, mode: 0o700 });
    this.#root = root;
    this.#limit = limit;
  }

  /** One that holds that tree, or another of the repository, or a new and empty one. */
  take(prefix: string, tree: string | undefined): WarmFolder {
    const own = this.#idle.filter((folder) => folder.prefix === prefix);
    const found = own.find((folder) => folder.tree === tree) ?? own.at(-1);
    if (found !== undefined) {
      this.#idle = this.#idle.filter((folder) => folder !== found);
      this.#lent.set(found.path, prefix);
      return found;
    }
    this.#made += 1;
    const path = join(this.#root, `${sha256(prefix).slice(0, 16)}-${this.#made}`);
    mkdirSync(path, { mode: 0o700 });
    this.#lent.set(path, prefix);
    return { path, prefix, known: undefined, bytes: 0, tree: undefined };
  }

  give(folder: WarmFolder): void {
    this.#lent.delete(folder.path);
    if (this.#barred.delete(folder.path) || folder.bytes > this.#limit) {
      wipe(folder.path);
      return;
    }
    this.#idle = [...this.#idle, folder];
    let bytes = this.#idle.reduce((sum, each) => sum + each.bytes, 0);
    for (const oldest of this.#idle) {
      if (bytes <= this.#limit) return;
      bytes -= oldest.bytes;
      this.#drop(oldest);
    }
  }

  /** One that was taken is of no more use. */
  end(path: string): void {
    this.#lent.delete(path);
    this.#barred.delete(path);
    wipe(path);
  }

  /** Removes what is kept of a repository; what is in use goes when it is given back. */
  forget(prefix: string): void {
    for (const folder of this.#idle) if (folder.prefix === prefix) this.#drop(folder);
    for (const [path, owner] of this.#lent) if (owner === prefix) this.#barred.add(path);
  }

  #drop(folder: WarmFolder): void {
    this.#idle = this.#idle.filter((each) => each !== folder);
    wipe(folder.path);
  }
}
