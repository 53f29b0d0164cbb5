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
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../domain/digest.ts';
import type { Blobs, BlobWrite } from '../ports/blobs.ts';
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

test('before the commit a crash leaves the old object', async () => {
  const { blobs, again } = open();
  await blobs.put('a', Buffer.from('old'), create);
  const before = await blobs.get('a');
  const write = { contentType: 'x/new', expect: before?.generation ?? '' };
  vi.spyOn(ObjectIndex.prototype, 'settle').mockImplementationOnce(() => {
    throw new TypeError('crash');
  });
  await expect(blobs.put('a', Buffer.from('new'), write)).rejects.toThrow('crash');
  expect(await blobs.get('a')).toEqual(before);
  expect(await again().get('a')).toEqual(before);
});

describe('after the commit a crash leaves the new object', () => {
  /** The process ends between the commit and the move of the body. */
  async function crashing(blobs: Blobs, name: string, write: BlobWrite): Promise<void> {
    vi.spyOn(ObjectIndex.prototype, 'exclusively').mockImplementationOnce(function <T>(
      this: ObjectIndex,
      work: () => T,
    ): T {
      this.exclusively(work);
      throw new TypeError('crash');
    });
    await expect(blobs.put(name, Buffer.from('new'), write)).rejects.toThrow('crash');
  }

  async function crashed() {
    const opened = open();
    const { blobs } = opened;
    await blobs.put('a', Buffer.from('old'), create);
    const expected = (await blobs.get('a'))?.generation ?? '';
    await crashing(blobs, 'a', { contentType: 'x/new', metadata: { n: '2' }, expect: expected });
    return { ...opened, expected };
  }

  test('with its own type, for any process that reads it', async () => {
    const { blobs, root } = await crashed();
    const found = await blobs.get('a');
    expect(found).toMatchObject({ contentType: 'x/new', metadata: { n: '2' } });
    expect(found?.body).toEqual(Uint8Array.from(Buffer.from('new')));
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
  });

  test('for a reader that had read the old body when it happened', async () => {
    const { blobs, again } = open();
    const other = again();
    await blobs.put('a', Buffer.from('old'), create);
    const { generation = '' } = (await blobs.get('a')) ?? {};
    const crash: Promise<unknown>[] = [];
    vi.spyOn(ObjectIndex.prototype, 'find').mockImplementationOnce(function (
      this: ObjectIndex,
      ...asked
    ) {
      crash.push(crashing(other, 'a', { contentType: 'x/new', expect: generation }));
      return this.find(...asked);
    });
    expect(await blobs.get('a')).toMatchObject({
      contentType: 'x/new',
      body: Uint8Array.from(Buffer.from('new')),
    });
    await Promise.all(crash);
  });

  test('as a stream', async () => {
    const { blobs } = await crashed();
    const found = await blobs.getStream('a');
    expect(found?.size).toBe(3);
    expect(await text(found?.body ?? Readable.from([]))).toBe('new');
  });

  test('in a listing', async () => {
    const { blobs } = await crashed();
    await blobs.put('longer', Buffer.from('1'), create);
    expect(await blobs.list('', 2)).toMatchObject([{ name: 'a', size: 3 }, { name: 'longer' }]);
  });

  test('as a plain file once a process starts', async () => {
    const { root, again } = await crashed();
    again();
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
    expect(readdirSync(`${root}.drafts`)).toEqual([]);
  });

  test('for the next writer, whose body no late move replaces', async () => {
    const { blobs, root, expected } = await crashed();
    expect(await blobs.put('a', Buffer.from('x'), { ...create, expect: expected })).toBe('stale');
    expect(await blobs.put('a', Buffer.from('x'), create)).toBe('stale');
    const { generation = '' } = (await blobs.get('a')) ?? {};
    expect(await blobs.put('a', Buffer.from('next'), { ...create, expect: generation })).not.toBe(
      'stale',
    );
    expect(readdirSync(`${root}.drafts`)).toEqual([]);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('next');
  });

  test('for a deletion, which leaves nothing of it', async () => {
    const { blobs, root } = await crashed();
    await blobs.delete('a');
    expect(await blobs.get('a')).toBeUndefined();
    expect(readdirSync(root)).toEqual([]);
    expect(readdirSync(`${root}.drafts`)).toEqual([]);
  });
});

test('a writer whose body another process moved, or deleted, changes nothing more', async () => {
  const { root, blobs, again } = open();
  const other = again();
  for (const act of ['get', 'delete'] as const) {
    const meanwhile: Promise<unknown>[] = [];
    vi.spyOn(ObjectIndex.prototype, 'exclusively').mockImplementationOnce(function <T>(
      this: ObjectIndex,
      work: () => T,
    ): T {
      const answer = this.exclusively(work);
      meanwhile.push(other[act]('a/b'));
      return answer;
    });
    const written = await blobs.put('a/b', Buffer.from('1'), create);
    await Promise.all(meanwhile);
    expect(written).not.toBe('stale');
    expect(readdirSync(root)).toEqual(act === 'get' ? ['a'] : []);
    await blobs.delete('a/b');
  }
});

test('an old body that is put back by hand is not the old generation', async () => {
  const { root, blobs } = open();
  await blobs.put('a', Buffer.from('old'), create);
  const generation = (await blobs.get('a'))?.generation ?? '';
  await blobs.put('a', Buffer.from('new'), { ...create, expect: generation });
  writeFileSync(join(root, 'a'), 'old');
  expect((await blobs.get('a'))?.generation).not.toBe(generation);
});

test('an entry whose body is gone is no object', async () => {
  const { root, blobs } = open();
  const index = new ObjectIndex(`${root}.index.sqlite`, 'normal');
  onTestFinished(() => index.close());
  index.settle({
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
  const { root, again } = open();
  const [old, fresh] = [join(`${root}.drafts`, 'old'), join(`${root}.drafts`, 'fresh')];
  for (const file of [old, fresh]) writeFileSync(file, '');
  utimesSync(old, 1, 1);
  again();
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const root = join(folder, 'objects');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  /** As another process has it, or the next one. */
  const again = () => {
    const blobs = openFolderBlobs({ root });
    onTestFinished(() => blobs.close());
    return blobs;
  };
  return { root, blobs: again(), again };
}
