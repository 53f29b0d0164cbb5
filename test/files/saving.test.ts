import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bucket, EMPTY, LIMITS, machine, task, words } from './repository.ts';
import { snapshot } from './snapshot.ts';

function plant(folder: string): void {
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'README.md'), '# hello\n');
  writeFileSync(join(folder, 'src/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'src/deep/zero'), '');
  writeFileSync(join(folder, 'src.txt'), 'sorts between src and src/');
  symlinkSync('../README.md', join(folder, 'src/readme'));
}

test('a folder comes back on another machine as it was, with programs, links and empty folders', async () => {
  const blobs = bucket();
  const { repository, commit } = await task(machine(blobs), EMPTY, undefined, 'one', plant);
  expect(commit).toMatchObject({ count: 5, bytes: 8 + 10 + 26 + 12 });
  const other = await machine(blobs, 2).open(repository, commit, LIMITS);
  const model = (await machine(blobs, 3).open(EMPTY, undefined, LIMITS)).folder;
  plant(model);
  expect(snapshot(other.folder)).toEqual(snapshot(model));
});

test('what was saved without a change is the same commit, and nothing is uploaded', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const { repository, commit } = await task(workspaces, EMPTY, undefined, 'one', plant);
  const workspace = await workspaces.open(repository, commit, LIMITS);
  const before = blobs.objects.size;
  const again = await workspace.save(repository, words('one'));
  expect(again).toEqual({ commit, added: [], replaced: [] });
  expect(blobs.objects.size).toBe(before);
});

test('a changed file is uploaded alone', async () => {
  const workspaces = machine(bucket());
  const first = await task(workspaces, EMPTY, undefined, 'one', (folder) => {
    for (let at = 0; at < 200; at += 1) writeFileSync(join(folder, `f${at}`), randomBytes(1_000));
  });
  const second = await task(workspaces, first.repository, first.commit, 'two', (folder) => {
    writeFileSync(join(folder, 'f7'), 'changed');
  });
  // The commit, the folder and the file.
  expect(second.saved.added).toMatchObject([{ objects: 3 }]);
});

test('timers get their turn while a large folder is saved and restored', async () => {
  const blobs = bucket();
  let turns = 0;
  let running = true;
  const count = () => {
    turns += 1;
    if (running) setImmediate(count);
  };
  const body = randomBytes(8_000);
  const first = await task(machine(blobs), EMPTY, undefined, 'one', (folder) => {
    for (let at = 0; at < 1_000; at += 1)
      writeFileSync(join(folder, `f${at}`), `${at}${body.toString('latin1')}`);
    count();
  });
  // Some 15 MB are hashed, and then packed: a turn for each MiB.
  expect(turns).toBeGreaterThan(15);
  turns = 0;
  await machine(blobs, 2).open(first.repository, first.commit, { ...LIMITS, count: 1_001 });
  running = false;
  expect(turns).toBeGreaterThan(4);
});

test('a change that hides behind the old size and time is found', async () => {
  const workspaces = machine(bucket());
  const first = await task(workspaces, EMPTY, undefined, 'one', (folder) => {
    writeFileSync(join(folder, 'a'), 'old');
    utimesSync(join(folder, 'a'), 1_000, 1_000);
  });
  const second = await task(workspaces, first.repository, first.commit, 'two', (folder) => {
    writeFileSync(join(folder, 'a'), 'new');
    utimesSync(join(folder, 'a'), 1_000, 1_000);
  });
  expect(second.commit.tree).not.toBe(first.commit.tree);
});

test('what a lost segment left on the disk is gone when the folder is opened again', async () => {
  const workspaces = machine(bucket());
  const first = await task(workspaces, EMPTY, undefined, 'one', plant);
  const lost = await workspaces.open(first.repository, first.commit, LIMITS);
  const before = snapshot(lost.folder);
  writeFileSync(join(lost.folder, 'README.md'), 'hel');
  writeFileSync(join(lost.folder, 'extra'), 'x');
  await lost.close();
  const next = await workspaces.open(first.repository, first.commit, LIMITS);
  expect(next.folder).toBe(lost.folder);
  expect(snapshot(next.folder)).toEqual(before);
  // What can't be kept, too, and what a process of the agent did after the end.
  symlinkSync('/etc', join(next.folder, 'out'));
  await next.close();
  const third = await workspaces.open(first.repository, first.commit, LIMITS);
  expect(snapshot(third.folder)).toEqual(before);
  await third.close();
  symlinkSync('/etc', join(third.folder, 'out'));
  const fourth = await workspaces.open(first.repository, first.commit, LIMITS);
  expect(fourth.folder).toBe(third.folder);
  expect(snapshot(fourth.folder)).toEqual(before);
});
