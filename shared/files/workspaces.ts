import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Blobs } from '../ports/blobs.ts';
import type { Ids } from '../ports/ids.ts';
import type { Workspaces } from '../ports/workspaces.ts';
import { archiveCommit } from './archive.ts';
import { discardPacks, removeRepository, sweepPacks } from './discard.ts';
import { historyOf, lookAt, readFile } from './look.ts';
import { mergeCommits } from './merge.ts';
import { openWorkspace } from './open-workspace.ts';
import { packCache } from './pack-set.ts';
import { pruneRepository } from './prune.ts';
import { publishRefs } from './publish.ts';
import { WarmFolders } from './warm-folders.ts';

export interface WorkspacesOptions {
  readonly blobs: Blobs;
  readonly ids: Ids;
  /**
   * A folder of this process alone, on a disk that is large enough. Emptied at the start: what lies
   * there was left by a process that is gone.
   */
  readonly scratch: string;
  /** Of folders that no one uses, kept for the next segment of their context. */
  readonly keptBytes: number;
}

/** Of indexes and front sections of packs. */
const CACHE = 16 * 1024 * 1024;

/** Files of contexts as git repositories in a bucket, one pack for each commit. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { blobs, ids, scratch, keptBytes } = options;
  const folders = new WarmFolders(scratch, keptBytes);
  const drafts = join(scratch, 'drafts');
  mkdirSync(drafts, { mode: 0o700 });
  const ports = { blobs, ids, drafts, folders, cache: packCache(CACHE) };

  function forget(prefix: string): void {
    folders.forget(prefix);
    ports.cache.deleteAll(`${prefix}/`);
  }

  return {
    open: (repository, at, limits) => openWorkspace(ports, repository, at, limits),
    look: (repository, commit) => lookAt(ports, repository, commit),
    history: (repository, commits) => historyOf(ports, repository, commits),
    read: (repository, commit, path) => readFile(ports, repository, commit, path),
    merge: (repository, sides, limits, words) =>
      mergeCommits(ports, repository, sides, limits, words),
    async prune(repository, live) {
      // What is to be gone must not lie on this machine either.
      folders.forget(repository.prefix);
      return pruneRepository(ports, repository, live);
    },
    archive: (repository, commit, object) => archiveCommit(ports, repository, commit, object),
    publish: (repository, refs) => publishRefs(blobs, repository.prefix, refs),
    async discard(prefix, packs) {
      for (const name of packs) ports.cache.delete(`${prefix}/${name}`);
      await discardPacks(blobs, prefix, packs);
    },
    sweep: (repository, keep, before) => sweepPacks(blobs, repository, keep, before),
    async remove(prefix) {
      forget(prefix);
      await removeRepository(blobs, prefix);
    },
  };
}
