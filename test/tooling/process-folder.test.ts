import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { processFolder } from '../../testing/process-folder.ts';

it('a folder that a killed process left is removed by the next, one of a live process is not', () => {
  const parent = mkdtempSync(join(tmpdir(), 'holdfast-parent-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const module = JSON.stringify(join(import.meta.dirname, '../../testing/process-folder.ts'));
  const script = `import(${module}).then(({ processFolder }) => {
    process.stdout.write(processFolder('left', ${JSON.stringify(parent)}), () => process.kill(process.pid, 'SIGKILL'));
  })`;
  const { stdout } = spawnSync(process.execPath, ['-e', script]);
  const left = stdout.toString();
  expect(existsSync(left)).toBe(true);
  const live = join(parent, `left-${process.ppid}-x`);
  mkdirSync(live);
  const own = processFolder('left', parent);
  expect([left, live, own].map((folder) => existsSync(folder))).toEqual([false, true, true]);
});
