import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the tests run under Node 24 or newer', () => {
  expect(Number.parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(24);
});

test('a child process that looks for node finds the same one', () => {
  const child = spawnSync('node', ['--version'], { encoding: 'utf8' });
  expect(child.stdout.trim()).toBe(process.version);
});
