import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../domain/digest.ts';
import { openFolderBlobs } from './folder-blobs.ts';
import { ObjectIndex } from './object-index.ts';

const task = '5b0c9f0e-0c4b-4f3e-9a53-3d1f6b3f3c11';
const create = { contentType: 'application/json', expect: 'absent' };

test('any reader finds a task as a plain file under its name, and nothing else beside it', async () => {
  const { root, blobs } = open();
  await blobs.put(`contexts/my.ctx@1/${task}/task.json`, Buffer.from('{"id":1}'), create);
  await blobs.put(`tasks/${task}/contextId.txt`, Buffer.from('my.ctx@1'), create);
  expect(readFileSync(join(root, 'contexts', 'my.ctx@1', task, 'task.json'), 'utf8')).toBe(
    '{"id":1}',
  );
  const found: string[] = readdirSync(root, { recursive: true, encoding: 'utf8' });
  expect(new Set(found)).toEqual(
    new Set([
      'contexts',
      join('contexts', 'my.ctx@1'),
      join('contexts', 'my.ctx@1', task),
      join('contexts', 'my.ctx@1', task, 'task.json'),
      'tasks',
      join('tasks', task),
      join('tasks', task, 'contextId.txt'),
    ]),
  );
});

test('a deletion leaves no empty folder, and no draft stays of a write', async () => {
  const { root, blobs } = open();
  await blobs.put('a/b/c', Buffer.from('1'), create);
  await blobs.put('a/b/c', Buffer.from('2'), create);
  await blobs.put('a/d', Buffer.from('1'), create);
  await blobs.delete('a/b/c');
  expect(readdirSync(root, { recursive: true })).toEqual(['a', join('a', 'd')]);
  expect(readdirSync(`${root}.drafts`)).toEqual([]);
});

test('before the body is in place a crash leaves the old object', async () => {
  const { root, blobs } = open();
  await blobs.put('a', Buffer.from('old'), create);
  const before = await blobs.get('a');
  const index = new ObjectIndex(`${root}.index.sqlite`, 'normal');
  onTestFinished(() => index.close());
  const proposed = { generation: 'g', contentType: 'x/new', metadata: {} };
  index.propose({ name: 'a', digest: sha256('new'), ...proposed });
  expect(await blobs.get('a')).toEqual(before);
});

test('once the body is in place a crash leaves the new object, with its own type', async () => {
  const { blobs } = open();
  await blobs.put('a', Buffer.from('old'), create);
  const expected = (await blobs.get('a'))?.generation ?? '';
  vi.spyOn(ObjectIndex.prototype, 'settle').mockImplementationOnce(() => {
    throw new TypeError('crash');
  });
  const write = { contentType: 'x/new', metadata: { n: '2' }, expect: expected };
  await expect(blobs.put('a', Buffer.from('new'), write)).rejects.toThrow('crash');
  const found = await blobs.get('a');
  expect(found).toMatchObject({ contentType: 'x/new', metadata: { n: '2' } });
  expect(found?.body).toEqual(Uint8Array.from(Buffer.from('new')));
  const next = { ...create, expect: found?.generation ?? '' };
  expect(await blobs.put('a', Buffer.from('next'), next)).not.toBe('stale');
});

test('an old body that is put back by hand is not the old generation', async () => {
  const { root, blobs } = open();
  await blobs.put('a', Buffer.from('old'), create);
  const generation = (await blobs.get('a'))?.generation ?? '';
  await blobs.put('a', Buffer.from('new'), { ...create, expect: generation });
  writeFileSync(join(root, 'a'), 'old');
  expect((await blobs.get('a'))?.generation).not.toBe(generation);
});

test('an entry whose body never came is no object', async () => {
  const { root, blobs } = open();
  const index = new ObjectIndex(`${root}.index.sqlite`, 'normal');
  onTestFinished(() => index.close());
  index.propose({
    name: 'a/1',
    digest: sha256('1'),
    generation: 'g',
    contentType: 't',
    metadata: {},
  });
  await blobs.put('a/2', Buffer.from('2'), create);
  expect(await blobs.get('a/1')).toBeUndefined();
  expect((await blobs.list('a/', 1)).map(({ name }) => name)).toEqual(['a/2']);
});

test('a file that was put there by hand is read, and can be replaced', async () => {
  const { root, blobs } = open();
  mkdirSync(join(root, 'a'));
  writeFileSync(join(root, 'a', 'b'), 'by hand');
  const found = await blobs.get('a/b');
  expect(found).toMatchObject({ contentType: 'application/octet-stream', metadata: {} });
  expect(await blobs.put('a/b', Buffer.from('x'), create)).toBe('stale');
  const write = { contentType: 'text/plain', expect: found?.generation ?? '' };
  expect(await blobs.put('a/b', Buffer.from('x'), write)).not.toBe('stale');
});

test('an object can’t lie under another, which is refused and harms neither', async () => {
  const { blobs } = open();
  await blobs.put('a', Buffer.from('1'), create);
  await expect(blobs.put('a/b', Buffer.from('2'), create)).rejects.toMatchObject({
    name: 'BadName',
  });
  expect(await blobs.get('a/b')).toBeUndefined();
  expect((await blobs.get('a'))?.body).toEqual(Uint8Array.from(Buffer.from('1')));
});

test('drafts of processes that died are gone after the next start, those of others are not', () => {
  const { root } = open();
  const [old, fresh] = [join(`${root}.drafts`, 'old'), join(`${root}.drafts`, 'fresh')];
  for (const file of [old, fresh]) writeFileSync(file, '');
  utimesSync(old, 1, 1);
  const again = openFolderBlobs({ root });
  onTestFinished(() => again.close());
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const root = join(folder, 'objects');
  const blobs = openFolderBlobs({ root });
  onTestFinished(async () => {
    await blobs.close();
    rmSync(folder, { recursive: true });
  });
  return { root, blobs };
}
