import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Blobs } from '../ports/blobs.ts';
import { openFolderBlobs } from './folder-blobs.ts';
import { openPackedBlobs } from './packed-blobs.ts';
import { PACK } from './packed-objects.ts';

const small = { contentType: 'application/json', expect: 'absent', small: true };
const file = { contentType: 'application/json', expect: 'absent' };
const WORD = 'a word that nothing else says';
const bytes = (text: string) => Uint8Array.from(Buffer.from(text));

test('small objects make no file and no folder each; the others are files by their names', async () => {
  const { root, blobs } = open();
  await blobs.put('tasks/1/contextId.txt', bytes('ctx'), small);
  await blobs.put('contexts/ctx/1/task.json', bytes('{}'), small);
  await blobs.put('contexts/ctx/repository.git/HEAD', bytes('ref'), file);
  expect(readFileSync(join(root, 'contexts/ctx/repository.git/HEAD'), 'utf8')).toBe('ref');
  expect(readdirSync(root).filter((name) => !name.startsWith(PACK))).toEqual(['contexts']);
  expect((await blobs.list('contexts/ctx/', 10)).map(({ name }) => name)).toEqual([
    'contexts/ctx/1/task.json',
    'contexts/ctx/repository.git/HEAD',
  ]);
});

test('an object stays where it is, also for a writer that calls it large', async () => {
  const { root, blobs } = open();
  const first = generationOf(await blobs.put('a', bytes('1'), small));
  expect(await blobs.put('a', bytes('2'), file)).toBe('stale');
  await blobs.put('a', bytes('2'), { ...file, expect: first });
  expect((await blobs.get('a'))?.body).toEqual(bytes('2'));
  expect(existsSync(join(root, 'a'))).toBe(false);
});

test('what a version before left as a file is read, replaced under its generation, and removed', async () => {
  const { root, again } = open();
  const files = openFolderBlobs({ root });
  onTestFinished(() => files.close());
  const [kept, gone] = ['tasks/1/contextId.txt', 'tasks/2/contextId.txt'];
  for (const name of [kept, gone]) await files.put(name, bytes('old'), file);
  const blobs = again();
  expect((await blobs.list('tasks/', 10)).map(({ name }) => name)).toEqual([kept, gone]);
  expect(await blobs.put(kept, bytes('new'), small)).toBe('stale');
  const { generation = '' } = (await blobs.get(kept)) ?? {};
  expect(await blobs.put(kept, bytes('new'), { ...small, expect: 'another' })).toBe('stale');
  const written = await blobs.put(kept, bytes('new'), { ...small, expect: generation });
  expect(await blobs.get(kept)).toMatchObject({
    body: bytes('new'),
    generation: generationOf(written),
  });
  expect(existsSync(join(root, kept))).toBe(false);
  await blobs.delete(gone);
  expect((await blobs.list('tasks/', 10)).map(({ name }) => name)).toEqual([kept]);
});

test('a crash between the write and the end of the old file shows the new object alone', async () => {
  const { root, again } = open();
  const files = openFolderBlobs({ root });
  const name = 'tasks/1/contextId.txt';
  await files.put(name, bytes('old'), file);
  const { generation = '' } = (await files.get(name)) ?? {};
  const blobs = again();
  // As left by a process that died there: the file is put back behind the write.
  await blobs.put(name, bytes('new'), { ...small, expect: generation });
  await files.put(name, bytes('old'), file);
  await files.close();
  const next = again();
  expect((await next.get(name))?.body).toEqual(bytes('new'));
  expect(await next.list('tasks/', 10)).toHaveLength(1);
  await next.delete(name);
  expect(await next.get(name)).toBeUndefined();
  expect(await next.list('tasks/', 10)).toEqual([]);
});

test('a deletion is answered when no byte is left, neither in the file nor in its log (G9)', async () => {
  const { root, blobs } = open();
  await blobs.put('tasks/1/a', bytes(WORD), small);
  await blobs.put('tasks/1/b', bytes('another'), small);
  expect(onDisk(root)).toContain(WORD);
  await blobs.delete('tasks/1/a');
  expect(onDisk(root)).not.toContain(WORD);
  expect(onDisk(root)).not.toContain('tasks/1/a');
  expect((await blobs.get('tasks/1/b'))?.body).toEqual(bytes('another'));
});

test('a deletion that a reader of the log holds up is Unavailable, and the next one ends it', async () => {
  const { root, blobs } = open({ busyTimeout: 1 });
  await blobs.put('a', bytes(WORD), small);
  const reader = new DatabaseSync(join(root, PACK), { readOnly: true });
  reader.exec('BEGIN; SELECT * FROM objects');
  await expect(blobs.delete('a')).rejects.toMatchObject({ name: 'Unavailable' });
  expect(await blobs.get('a')).toBeUndefined();
  reader.exec('COMMIT');
  reader.close();
  await blobs.delete('a');
  expect(onDisk(root)).not.toContain(WORD);
});

test('what was replaced is gone from the disk soon, and once a process starts', async () => {
  const { root, blobs, again } = open();
  const generation = generationOf(await blobs.put('a', bytes(WORD), small));
  await blobs.put('a', bytes('new'), { ...small, expect: generation });
  await expect.poll(() => onDisk(root), { timeout: 10_000 }).not.toContain(WORD);
  const next = generationOf(await blobs.put('b', bytes(WORD), small));
  await blobs.put('b', bytes('new'), { ...small, expect: next });
  again();
  expect(onDisk(root)).not.toContain(WORD);
});

test('a deletion comes after the write that was asked for before it', async () => {
  const { blobs } = open();
  const writing = blobs.put('a', bytes('1'), small);
  await blobs.delete('a');
  expect(await writing).not.toBe('stale');
  expect(await blobs.get('a')).toBeUndefined();
});

test('a write that was asked for is there when its process has closed', async () => {
  const { blobs, again } = open();
  const writing = blobs.put('a', bytes('1'), small);
  await blobs.close();
  expect(await writing).not.toBe('stale');
  expect((await again().get('a'))?.body).toEqual(bytes('1'));
});

test('writes of one moment are one commit, and each has its own outcome', async () => {
  const { root, blobs } = open();
  await blobs.put('there', bytes('1'), small);
  const size = () => statSync(`${join(root, PACK)}-wal`).size;
  const before = size();
  const puts = Array.from({ length: 20 }, (_, n) => blobs.put(`n/${n}`, bytes('1'), small));
  const outcomes = await Promise.all([...puts, blobs.put('there', bytes('2'), small)]);
  expect(outcomes.filter((each) => each === 'stale')).toHaveLength(1);
  expect(outcomes.at(-1)).toBe('stale');
  // A commit of its own for each would write two pages each time.
  expect(size() - before).toBeLessThan(20 * 4_096);
});

test('a closed one says so', async () => {
  const { blobs } = open();
  await blobs.close();
  await expect(blobs.get('a')).rejects.toMatchObject({ name: 'Unavailable' });
});

function open({ busyTimeout = 1_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const root = join(folder, 'objects');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  /** As another process has it, or the next one. */
  const again = (): Blobs & { close(): Promise<void> } => {
    const blobs = openPackedBlobs({ root, busyTimeout });
    onTestFinished(() => blobs.close());
    return blobs;
  };
  return { root, blobs: again(), again };
}

function generationOf(written: Awaited<ReturnType<Blobs['put']>>): string {
  return written === 'stale' ? 'stale' : written.generation;
}

/** Everything below the folder, names and bytes. */
function onDisk(root: string): string {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`)
    .join('\n');
}
