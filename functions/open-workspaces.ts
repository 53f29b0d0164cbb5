import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../shared/domain/settings.ts';
import type { Blobs } from '../shared/ports/blobs.ts';
import type { Ids } from '../shared/ports/ids.ts';
import type { Workspaces } from '../shared/ports/workspaces.ts';

export interface WorkspaceOptions {
  readonly blobs: Blobs;
  readonly ids: Ids;
  readonly settings: Settings;
  /** Folders of tasks lie below it, those of each process apart. Default: the system's own. */
  readonly scratch: string | undefined;
}

/**
 * The files of contexts, over a bucket. Nothing is loaded and no folder is made before an agent has
 * files.
 */
export function openWorkspaces({ blobs, ids, scratch, settings }: WorkspaceOptions): Workspaces {
  const open = async (): Promise<Workspaces> => {
    const { createWorkspaces } = await import('../shared/files/workspaces.ts');
    const root = scratch ?? join(tmpdir(), 'holdfast');
    removeAbandoned(root);
    const folder = join(root, String(process.pid));
    return createWorkspaces({ blobs, ids, scratch: folder, keptBytes: settings.filesKept });
  };
  let opened: Promise<Workspaces> | undefined;
  const engine = (): Promise<Workspaces> => (opened ??= open());
  return {
    open: async (...given) => (await engine()).open(...given),
    look: async (...given) => (await engine()).look(...given),
    history: async (...given) => (await engine()).history(...given),
    read: async (...given) => (await engine()).read(...given),
    merge: async (...given) => (await engine()).merge(...given),
    prune: async (...given) => (await engine()).prune(...given),
    archive: async (...given) => (await engine()).archive(...given),
    publish: async (...given) => (await engine()).publish(...given),
    discard: async (...given) => (await engine()).discard(...given),
    sweep: async (...given) => (await engine()).sweep(...given),
    remove: async (...given) => (await engine()).remove(...given),
  };
}

/** Folders are named by their process; one that is gone needs none. */
function removeAbandoned(root: string): void {
  const folders = existsSync(root) ? readdirSync(root) : [];
  for (const name of folders) {
    if (/^\d+$/.test(name) && !isAlive(Number(name))) {
      rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
