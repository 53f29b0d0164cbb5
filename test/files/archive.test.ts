import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { extractArchive } from '../../shared/files/extract-archive.ts';
import { tarHeader } from '../../shared/files/tar-header.ts';
import { FILE } from '../../shared/files/tree.ts';
import type { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { bucket, EMPTY, LIMITS, machine, task, temporary } from './repository.ts';
import { snapshot } from './snapshot.ts';

const OBJECT = 'contexts/c1/t1/workspace.tar.gz';
const HAS_TAR = spawnSync('tar', ['--version']).status === 0;
if (!HAS_TAR) process.stderr.write('tar is not on this machine: what it reads is not tested\n');

function plant(folder: string): void {
  const deep = 'a long folder name that is said again and again/'.repeat(4);
  mkdirSync(join(folder, deep), { recursive: true });
  mkdirSync(join(folder, 'empty'));
  for (const size of [0, 1, 511, 512, 513, 70_000, 5_000_000, 20_000_000]) {
    writeFileSync(join(folder, `of ${size}`), Buffer.alloc(size, `${size} bytes. `));
  }
  writeFileSync(join(folder, 'random'), scattered(6_000_000));
  writeFileSync(join(folder, 'twin of random'), scattered(6_000_000));
  writeFileSync(join(folder, deep, 'größe 𝒜'), 'umlaut');
  writeFileSync(join(folder, 'run'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('run', join(folder, 'link'));
  symlinkSync(`${deep}größe 𝒜`, join(folder, 'long link'));
  // The same content as that of a link.
  writeFileSync(join(folder, 'says run'), 'run');
}

function scattered(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = Math.imul(at ^ (at >>> 7), 2_654_435_761) >>> 21;
  return bytes;
}

async function archived(work: (folder: string) => void) {
  const blobs = bucket();
  let files: ReadonlyMap<string, string> = new Map();
  const { repository, commit } = await task(machine(blobs), EMPTY, undefined, 'one', (folder) => {
    work(folder);
    files = snapshot(folder);
  });
  const cold = machine(blobs, 2);
  await cold.archive(repository, commit, OBJECT);
  return { blobs, files, cold, repository, commit };
}

function bodyOf(blobs: MemoryBlobs): Uint8Array {
  const found = blobs.objects.get(OBJECT);
  if (found === undefined) throw new Error('no archive');
  expect(found.contentType).toBe('application/gzip');
  return found.body;
}

test.skipIf(!HAS_TAR)(
  'plain tar opens the archive of a commit, and finds what was saved',
  async () => {
    const { blobs, files } = await archived(plant);
    const folder = temporary();
    const archive = join(temporary(), 'workspace.tar.gz');
    writeFileSync(archive, bodyOf(blobs));
    execFileSync('gzip', ['-t', archive]);
    const run = spawnSync('tar', ['xzf', archive, '-C', folder], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(snapshot(folder)).toEqual(files);
  },
);

test('our own reader, which trusts no archive, finds what was saved', async () => {
  const { blobs, files } = await archived(plant);
  const folder = join(temporary(), 'out');
  const source = Readable.from([bodyOf(blobs)]);
  // What says one thing again and again is packed a thousand times smaller.
  const found = await extractArchive(source, folder, { ...LIMITS, ratio: 1_000 });
  expect(snapshot(folder)).toEqual(files);
  expect(found.count).toBe([...files.values()].filter((each) => each !== 'folder').length);
});

test('the archive of an empty folder is an empty tar file', async () => {
  const { blobs } = await archived(() => undefined);
  expect(gunzipSync(bodyOf(blobs))).toEqual(Buffer.alloc(1_024));
});

test('an archive that is there is not written again', async () => {
  const { blobs, cold, repository, commit } = await archived((folder) =>
    writeFileSync(join(folder, 'a'), 'a'),
  );
  const { generation } = blobs.objects.get(OBJECT) ?? {};
  await cold.archive(repository, commit, OBJECT);
  expect(blobs.objects.get(OBJECT)?.generation).toBe(generation);
});

test('content that is wrong in the bucket gets into no archive', async () => {
  for (const size of [100, 9_000_000]) {
    const blobs = bucket();
    const { repository, commit } = await task(machine(blobs), EMPTY, undefined, 'one', (folder) =>
      writeFileSync(join(folder, 'a'), scattered(size)),
    );
    const [name = '', object] = [...blobs.objects].find(([each]) => each.endsWith('.pack')) ?? [];
    if (object === undefined) throw new Error('no pack');
    const body = object.body.slice();
    body[body.length - 40] = (body[body.length - 40] ?? 0) ^ 1;
    blobs.objects.set(name, { ...object, body });
    const archive = machine(blobs, 2).archive(repository, commit, OBJECT);
    await expect(archive, String(size)).rejects.toMatchObject({ name: 'Unreadable' });
    expect(blobs.objects.has(OBJECT)).toBe(false);
  }
});

test('a file of more than 8 GiB has its size in a pax record', () => {
  const size = 9 * 1024 ** 3;
  const header = tarHeader({ path: 'large', mode: FILE, size, changed: 0 });
  expect(header.length).toBe(3 * 512);
  expect(header.toString('latin1', 512, 1_024).replaceAll('\0', '')).toBe('19 size=9663676416\n');
});

test('the length of a pax record counts its own digits', () => {
  for (let length = 80; length < 1_100; length += 1) {
    const header = tarHeader({ path: 'ä'.repeat(length), mode: FILE, size: 0, changed: 0 });
    const record = header.subarray(512, -512).toString().replaceAll('\0', '');
    expect(record.endsWith('\n')).toBe(true);
    expect(Number.parseInt(record, 10)).toBe(Buffer.byteLength(record));
  }
});
