import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** What the a2a-server of gemini-cli keeps of a task. */
export const metadata = (state: string, contextId?: string): object => ({
  __persistedState: {
    _agentSettings: { kind: 'agent-settings', workspacePath: '/work', autoExecute: false },
    _taskState: state,
  },
  ...(contextId !== undefined && { _contextId: contextId }),
});

export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-import-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A bucket of that layout, as a folder. */
export class OldLayout {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** An object, byte for byte. */
  async put(task: string, kind: 'metadata' | 'workspace', bytes: Uint8Array): Promise<void> {
    const folder = join(this.folder, 'tasks', task);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${kind}.tar.gz`), bytes);
  }

  async metadata(task: string, json: object): Promise<void> {
    await this.put(task, 'metadata', gzipSync(JSON.stringify(json)));
  }

  /** Packed by the real tar; `more` are its further arguments. */
  async workspace(
    task: string,
    files: Readonly<Record<string, string>>,
    ...more: readonly string[]
  ): Promise<void> {
    const folder = await scratch();
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    await mkdir(join(this.folder, 'tasks', task), { recursive: true });
    const archive = join(this.folder, 'tasks', task, 'workspace.tar.gz');
    await run('tar', ['-czPf', archive, '-C', folder, ...more, ...(await readdir(folder))]);
  }

  /** Every file with its time and content, to be compared with itself. */
  async print(): Promise<string> {
    const hash = createHash('sha256');
    for (const name of (await readdir(this.folder, { recursive: true })).toSorted((a, b) =>
      a.localeCompare(b),
    )) {
      const path = join(this.folder, name);
      const found = await stat(path);
      hash.update(`${name} ${found.mtimeMs} ${found.size}\n`);
      if (found.isFile()) hash.update(await readFile(path));
    }
    return hash.digest('hex');
  }
}

export const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
