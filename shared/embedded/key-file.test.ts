import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openKeyFile } from './key-file.ts';

const otherProcess = fileURLToPath(
  new URL('../../test/conformance/other-process.ts', import.meta.url),
);

test('processes that start at once agree on one key', async () => {
  const file = join(newFolder(), 'new', 'key');
  const run = promisify(execFile);
  const starts = [1, 2, 3, 4].map(() => run(process.execPath, [otherProcess, 'new-key', file]));
  const sealer = openKeyFile(file);
  for (const { stdout } of await Promise.all(starts)) {
    expect(await sealer.unwrap(Buffer.from(stdout, 'hex'))).toHaveLength(32);
  }
  expect(readdirSync(join(file, '..'))).toEqual(['key']);
});

test.skipIf(process.platform === 'win32')('nobody but the owner may read the key', () => {
  const file = join(newFolder(), 'key');
  openKeyFile(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a key file of the wrong length is Unreadable and stays as it is', () => {
  const file = join(newFolder(), 'key');
  writeFileSync(file, 'short');
  expect(() => openKeyFile(file)).toThrow("the key file can't be read");
  expect(statSync(file).size).toBe(5);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
