import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the tests run under Node 24 or newer', () => {
  expect(Number.parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(24);
});

test('a child process that looks for node finds the same one', () => {
  const child = spawnSync('node', ['--version'], { encoding: 'utf8' });
  expect(child.stdout.trim()).toBe(process.version);
});

const bootstrap = join(import.meta.dirname, '../../tools/node24.mjs');

test('the exit code of the command is the exit code of the bootstrap', () => {
  const { status } = spawnSync(process.execPath, [bootstrap, '-e', 'process.exit(7)']);
  expect(status).toBe(7);
});

test('what the command compiles is kept for its next start', () => {
  const script = "console.log(require('node:module').getCompileCacheDir())";
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
  const { stdout } = spawnSync(process.execPath, [bootstrap, '-e', script], { env });
  expect(String(stdout)).toContain(join('node_modules', '.cache', 'holdfast'));
});

test('a SIGTERM reaches the command, which ends in its own time', async () => {
  const script =
    "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1e3); console.log('up');";
  const child = spawn(process.execPath, [bootstrap, '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([9, null]);
});
