import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { temporary } from './repository.ts';

/** Whether this machine has git at all. */
export const HAS_GIT = spawnSync('git', ['--version']).status === 0;

/** Copies what lies under the prefix into a folder, as `gcloud storage cp -r` does. */
export function copied(blobs: MemoryBlobs, prefix: string): string {
  const folder = temporary();
  for (const [name, { body }] of blobs.objects) {
    if (!name.startsWith(`${prefix}/`)) continue;
    const path = join(folder, name.slice(prefix.length + 1));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, body);
  }
  return folder;
}

/** What git prints. Throws if it fails; nothing of the user's own configuration has a part. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
