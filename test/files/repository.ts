import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createWorkspaces } from '../../shared/files/workspaces.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import type {
  CommitWords,
  FilesCommit,
  Repository,
  Saved,
  WorkspaceLimits,
  Workspaces,
} from '../../shared/ports/workspaces.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';

export const LIMITS: WorkspaceLimits = {
  count: 1_000,
  bytes: 64 * 1024 * 1024,
  fileBytes: 32 * 1024 * 1024,
  depth: 16,
};
export const PREFIX = 'contexts/c1/5f3c.git';
export const EMPTY: Repository = { prefix: PREFIX, packs: [] };

export function words(
  message: string,
  ...parents: readonly (FilesCommit | undefined)[]
): CommitWords {
  return {
    author: 'editor',
    message,
    at: 1_700_000_000_000,
    parents: parents.flatMap((parent) => (parent === undefined ? [] : [parent.id])),
  };
}

/** What a transaction makes of a repository's row. */
export function listed(
  { prefix, packs }: Repository,
  { added, replaced }: Pick<Saved, 'added' | 'replaced'>,
): Repository {
  return { prefix, packs: [...packs.filter(({ name }) => !replaced.includes(name)), ...added] };
}

/** A folder that is removed when the test has finished. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** One process with a disk of its own. */
export function machine(blobs: Blobs, seed = 1, keptBytes = 1024 * 1024 * 1024): Workspaces {
  const scratch = join(temporary(), 'scratch');
  return createWorkspaces({ blobs, ids: seededIds(seed), scratch, keptBytes });
}

export function bucket(): MemoryBlobs {
  return new MemoryBlobs(new VirtualClock());
}

/** Does one task's work in a folder that holds the files of `at`, and lists what it saved. */
export async function task(
  workspaces: Workspaces,
  repository: Repository,
  at: FilesCommit | undefined,
  message: string,
  work: (folder: string) => void,
): Promise<{
  readonly repository: Repository;
  readonly commit: FilesCommit;
  readonly saved: Saved;
}> {
  const workspace = await workspaces.open(repository, at, LIMITS);
  work(workspace.folder);
  const saved = await workspace.save(repository, words(message, at));
  await workspace.close();
  return { repository: listed(repository, saved), commit: saved.commit, saved };
}
