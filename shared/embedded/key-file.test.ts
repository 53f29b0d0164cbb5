import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { closeToOthers } from './file-modes.ts';
import { retireOlderKeys, rotateKeyFile } from './key-bytes.ts';
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
    expect(await sealer.unwrap(Buffer.from(stdout, 'hex'), 'runs/r')).toHaveLength(32);
  }
  expect(readdirSync(join(file, '..'))).toEqual(['key']);
});

test.skipIf(process.platform === 'win32')('only the owner may read the key', () => {
  const file = join(newFolder(), 'key');
  openKeyFile(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a key file of the wrong length is Unreadable and stays as it is', () => {
  const file = join(newFolder(), 'key');
  writeFileSync(file, 'short');
  expect(() => openKeyFile(file)).toThrow(`the key file ${file} can't be read`);
  expect(statSync(file).size).toBe(5);
});

test('a key file that is missed is not made anew: nothing is wrapped, and the key that comes back opens what it wrapped', async () => {
  const file = join(newFolder(), 'key');
  const { plain, wrapped } = await openKeyFile(file).newKey('runs/r');
  renameSync(file, `${file}.away`);
  const sealer = openKeyFile(file, { make: false });
  const missing = { name: 'KeyMissing', advice: 'wait' };
  expect(await sealer.keyNames()).toEqual([]);
  await expect(sealer.newKey('runs/s')).rejects.toMatchObject(missing);
  await expect(sealer.unwrap(wrapped, 'runs/r')).rejects.toMatchObject(missing);
  renameSync(`${file}.away`, file);
  expect(await sealer.unwrap(wrapped, 'runs/r')).toEqual(plain);
  expect(await sealer.newKey('runs/s')).toBeDefined();
});

test('rotations at the same time, each in a process of its own, lose no key', async () => {
  const file = join(newFolder(), 'key');
  const sealer = openKeyFile(file);
  const { plain, wrapped } = await sealer.newKey('runs/r');
  const run = promisify(execFile);
  await Promise.all(
    Array.from({ length: 6 }, () => run(process.execPath, [otherProcess, 'rotate', file])),
  );
  expect(await sealer.keyNames()).toHaveLength(7);
  expect(await openKeyFile(file).unwrap(wrapped, 'runs/r')).toEqual(plain);
  expect(readdirSync(join(file, '..')).sort()).toEqual(['key', 'key.lock']);
});

test('a running process wraps with the newest key from its next data key on', async () => {
  const file = join(newFolder(), 'key');
  const sealer = openKeyFile(file);
  const [before] = await sealer.keyNames();
  const old = await sealer.newKey('runs/r');
  rotateKeyFile(file);
  const fresh = await sealer.newKey('runs/s');
  const [after] = await sealer.keyNames();
  expect(after).not.toBe(before);
  retireOlderKeys(file);
  const later = openKeyFile(file);
  expect(await later.keyNames()).toEqual([after]);
  expect(await later.unwrap(fresh.wrapped, 'runs/s')).toEqual(fresh.plain);
  await expect(later.unwrap(old.wrapped, 'runs/r')).rejects.toThrow(before);
});

test.skipIf(process.platform === 'win32')(
  'a key file that others may read is closed to them',
  () => {
    const file = join(newFolder(), 'key');
    openKeyFile(file);
    expect(closeToOthers(file)).toBe(false);
    chmodSync(file, 0o644);
    expect(closeToOthers(file)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  },
);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
