import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { sourceOf } from '../../shared/app/restore/own-source.ts';
import { openFolderBlobs } from '../../shared/embedded/folder-blobs.ts';
import { openPackedBlobs } from '../../shared/embedded/packed-blobs.ts';
import { openPlainFolder } from '../../shared/embedded/plain-folder.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import type { ArchiveSource } from '../../shared/ports/archive-source.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';

type Objects = Readonly<Record<string, string>>;

async function folder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-source-'));
  onTestFinished(() => rm(root, { recursive: true }));
  return root;
}

async function filled(blobs: Blobs, objects: Objects, small = false): Promise<Blobs> {
  const write = { contentType: 'text/plain', expect: 'absent', small };
  for (const [name, text] of Object.entries(objects))
    await blobs.put(name, Buffer.from(text), write);
  return blobs;
}

const SOURCES: Readonly<Record<string, (objects: Objects) => Promise<ArchiveSource>>> = {
  async 'a bucket'(objects) {
    const storage = await startStorageEmulator();
    onTestFinished(() => storage.close());
    storage.buckets.create('b');
    return sourceOf(await filled(createGcsBlobs({ bucket: 'b', endpoint: storage.url }), objects));
  },
  async 'the objects of a data folder, without their index'(objects) {
    const root = join(await folder(), 'objects');
    const blobs = openFolderBlobs({ root });
    await filled(blobs, objects);
    await blobs.close();
    return openPlainFolder(root);
  },
  async 'the objects of a data folder, in their pack'(objects) {
    const root = join(await folder(), 'objects');
    const blobs = openPackedBlobs({ root });
    await filled(blobs, objects, true);
    await blobs.close();
    return openPlainFolder(root);
  },
  async 'the objects of a data folder whose server runs'(objects) {
    const root = join(await folder(), 'objects');
    const blobs = openPackedBlobs({ root });
    onTestFinished(() => blobs.close());
    await filled(blobs, objects, true);
    return openPlainFolder(root);
  },
  async 'a folder that a bucket was copied to'(objects) {
    const root = await folder();
    for (const [name, text] of Object.entries(objects)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    return openPlainFolder(root);
  },
};

async function namesOf(source: ArchiveSource, prefix: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entries of source.entries(prefix))
    names.push(...entries.map(({ name }) => name));
  return names.toSorted((a, b) => a.localeCompare(b));
}

describe.each(Object.entries(SOURCES))('%s is a source', (_, open) => {
  const many = Object.fromEntries(
    Array.from({ length: 1_201 }, (__, at) => [`many/${at}`, `${at}`]),
  );
  const long = `${'l'.repeat(100)}:${'m'.repeat(90)}`;

  it('whose objects are listed by prefix, each once, with their sizes', async () => {
    const source = await open({
      'tasks/1/contextId.txt': 'ctx',
      [`contexts/${long}/1/task.json`]: '{}',
      'other/x': '',
    });
    expect(await namesOf(source, 'tasks/')).toEqual(['tasks/1/contextId.txt']);
    expect(await namesOf(source, 'contexts/')).toEqual([`contexts/${long}/1/task.json`]);
    expect(await namesOf(source, 'nothing/')).toEqual([]);
    for await (const entries of source.entries('tasks/'))
      for (const { createdAt, size } of entries) {
        expect(size).toBe(3);
        expect(createdAt).toBeGreaterThan(0);
      }
  });

  it('whose objects are read by name, whole and as a stream', async () => {
    const name = `contexts/${long}/1/task.json`;
    const source = await open({ [name]: 'text' });
    expect(Buffer.from((await source.get(name))?.body ?? []).toString()).toBe('text');
    const stream = await source.getStream(name);
    expect(stream?.size).toBe(4);
    expect((await buffer(stream?.body ?? Readable.from([]))).toString()).toBe('text');
    expect(await source.get('contexts/c/1/other.json')).toBeUndefined();
    expect(await source.get(`${name}/below`)).toBeUndefined();
    expect(await source.getStream('contexts/c')).toBeUndefined();
  });

  it('with more objects than a page holds', async () => {
    const source = await open(many);
    expect((await namesOf(source, 'many/')).length).toBe(1_201);
  }, 30_000);
});

describe('a folder as a source', () => {
  it('knows whose a task of a pack is, and prefers it to a file of an older version', async () => {
    const root = await folder();
    const blobs = openPackedBlobs({ root });
    const write = { contentType: 'text/plain', expect: 'absent', small: true };
    await blobs.put('tasks/1/a', Buffer.from('new'), { ...write, metadata: { agent: 'x' } });
    await blobs.close();
    await mkdir(join(root, 'tasks', '1'), { recursive: true });
    await writeFile(join(root, 'tasks', '1', 'a'), 'old');
    const source = openPlainFolder(root);
    expect(await source.get('tasks/1/a')).toMatchObject({
      body: Uint8Array.from(Buffer.from('new')),
      metadata: { agent: 'x' },
    });
    expect(await namesOf(source, 'tasks/')).toEqual(['tasks/1/a']);
  });

  it('is not changed: no file appears beside its pack', async () => {
    const root = await folder();
    const blobs = openPackedBlobs({ root });
    await filled(blobs, { 'tasks/1/contextId.txt': 'c' }, true);
    await blobs.close();
    const before = await readdir(root);
    expect(await namesOf(openPlainFolder(root), 'tasks/')).toEqual(['tasks/1/contextId.txt']);
    expect(await readdir(root)).toEqual(before);
  });

  it('follows no link out of it, and leads nowhere else', async () => {
    const root = await folder();
    const outside = await folder();
    await writeFile(join(outside, 'contextId.txt'), 'secret');
    await mkdir(join(root, 'tasks', 'mine'), { recursive: true });
    await symlink(outside, join(root, 'tasks', 'theirs'));
    await symlink(join(outside, 'contextId.txt'), join(root, 'tasks', 'mine', 'contextId.txt'));
    const source = openPlainFolder(root);
    expect(await namesOf(source, 'tasks/')).toEqual([]);
    expect(await source.get('tasks/mine/contextId.txt')).toBeUndefined();
    expect(await source.get('tasks/theirs/contextId.txt')).toBeUndefined();
    await expect(source.get('tasks/../../x')).rejects.toMatchObject({ name: 'BadName' });
  });
});
