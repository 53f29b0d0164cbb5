import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FilesCommit } from '../../shared/ports/workspaces.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { failingFrom } from './failing-blobs.ts';
import { bucket, EMPTY, LIMITS, listed, machine, PREFIX, task, words } from './repository.ts';
import { snapshot } from './snapshot.ts';

test('the hundredth of many small tasks is restored with few requests, and every one of them still comes back', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  let repository = EMPTY;
  const commits: FilesCommit[] = [];
  let most = 0;
  let gathered = 0;
  for (let at = 0; at < 100; at += 1) {
    const done = await task(workspaces, repository, commits.at(-1), `task ${at}`, (folder) => {
      if (at === 0) {
        for (let file = 0; file < 300; file += 1) {
          writeFileSync(join(folder, `base-${file}`), randomBytes(2_000));
        }
      }
      writeFileSync(join(folder, `own-${at % 10}`), `${at} `.repeat(400));
    });
    repository = done.repository;
    commits.push(done.commit);
    await workspaces.discard(PREFIX, done.saved.replaced);
    most = Math.max(most, repository.packs.length);
    if (at > 0) gathered += done.saved.added.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  expect(most).toBeLessThanOrEqual(8);
  // A task uploads 8 KB, and each byte goes up as often as the number of packs doubles; if all were
  // always gathered it would be 70 MB.
  expect(gathered).toBeLessThan(6_000_000);
  expect(blobs.objects.size).toBe(repository.packs.length * 2);
  const counting = failingFrom(blobs, Infinity, 'before');
  const cold = machine(counting.blobs, 4);
  await cold.open(repository, commits[99], LIMITS);
  expect(counting.calls()).toBeLessThan(20);
  for (const [at, commit] of commits.entries()) {
    const workspace = await cold.open(repository, commit, LIMITS);
    const own = snapshot(workspace.folder).get(`own-${at % 10}`);
    expect(own).toBe(`file ${`${at} `.repeat(400)}`);
    await workspace.close();
  }
});

test('where each task has a process of its own the packs stay few, and a save fetches none of them for it', async () => {
  const blobs = bucket();
  let repository = EMPTY;
  let at: FilesCommit | undefined;
  const calls: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    const counting = failingFrom(blobs, Infinity, 'before');
    const workspace = await machine(counting.blobs, count).open(repository, at, LIMITS);
    writeFileSync(join(workspace.folder, `own-${count}`), randomBytes(3_000));
    const before = counting.calls();
    const saved = await workspace.save(repository, words(`task ${count}`, at));
    calls.push(counting.calls() - before);
    repository = listed(repository, saved);
    at = saved.commit;
    expect(repository.packs.length).toBeLessThanOrEqual(13);
  }
  const cold = await machine(blobs, 99).open(repository, at, LIMITS);
  expect(snapshot(cold.folder).size).toBe(40);
  // Two uploads. A dozen packs are gathered into one now and then.
  expect(calls.filter((each) => each > 2).length).toBeLessThan(5);
});

test('a second save in the same folder has what a lost one uploaded with it, unless that was listed', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const workspace = await workspaces.open(EMPTY, undefined, LIMITS);
  writeFileSync(join(workspace.folder, 'a'), randomBytes(50_000));
  const lost = await workspace.save(EMPTY, words('lost'));
  writeFileSync(join(workspace.folder, 'b'), 'b');
  const again = await workspace.save(EMPTY, words('again'));
  const repository = listed(EMPTY, again);
  await workspaces.discard(
    PREFIX,
    lost.added.map(({ name }) => name),
  );
  const cold = await machine(blobs, 3).open(repository, again.commit, LIMITS);
  expect(snapshot(cold.folder)).toEqual(snapshot(workspace.folder));
  writeFileSync(join(workspace.folder, 'c'), 'c');
  const third = await workspace.save(repository, words('third', again.commit));
  expect(third.added).toMatchObject([{ objects: 3 }]);
});

test('a sweep takes what is old and not listed, and nothing else', async () => {
  const clock = new VirtualClock();
  const blobs = new MemoryBlobs(clock);
  const workspaces = machine(blobs);
  const one = await task(workspaces, EMPTY, undefined, 'one', (folder) =>
    writeFileSync(join(folder, 'a'), 'a'),
  );
  const orphan = await task(workspaces, EMPTY, undefined, 'lost', (folder) =>
    writeFileSync(join(folder, 'b'), 'b'),
  );
  const doomed = await task(workspaces, EMPTY, undefined, 'doomed', (folder) =>
    writeFileSync(join(folder, 'c'), 'c'),
  );
  await clock.advance(1_000);
  const young = await task(workspaces, EMPTY, undefined, 'young', (folder) =>
    writeFileSync(join(folder, 'd'), 'd'),
  );
  await workspaces.publish(one.repository, {
    main: one.commit.id,
    tasks: new Map(),
    branches: new Map(),
    shallow: [],
    version: 1,
  });
  const before = blobs.objects.size;
  const keep = doomed.saved.added.map(({ name }) => name);
  expect(await workspaces.sweep(one.repository, keep, clock.now())).toBe(2);
  const gone = orphan.saved.added[0]?.name ?? '';
  expect([...blobs.objects.keys()].filter((name) => name.includes(gone))).toEqual([]);
  expect(blobs.objects.size).toBe(before - 2);
  expect(young.saved.added).toHaveLength(1);
});

test('a repository that is removed leaves nothing in the bucket or on the disk, and its neighbour whole', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const neighbour = { prefix: `${PREFIX}x`, packs: [] };
  const work = (folder: string) => writeFileSync(join(folder, 'a'), 'a');
  const own = await workspaces.open(EMPTY, undefined, LIMITS);
  work(own.folder);
  await own.save(EMPTY, words('one'));
  await own.close();
  const other = await task(workspaces, neighbour, undefined, 'other', work);
  await workspaces.remove(PREFIX);
  expect([...blobs.objects.keys()].every((name) => name.startsWith(`${PREFIX}x/`))).toBe(true);
  expect(blobs.objects.size).toBe(2);
  expect(existsSync(own.folder)).toBe(false);
  const there = await workspaces.open(other.repository, other.commit, LIMITS);
  expect(snapshot(there.folder)).toEqual(new Map([['a', 'file a']]));
});

test('folders that no segment uses are kept up to a number of bytes, the last used the longest', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs, 1, 250);
  const folders: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const repository = { prefix: `contexts/${name}/r.git`, packs: [] };
    const workspace = await workspaces.open(repository, undefined, LIMITS);
    writeFileSync(join(workspace.folder, 'a'), 'x'.repeat(100));
    await workspace.save(repository, words(name));
    await workspace.close();
    folders.push(workspace.folder);
  }
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true]);
});

test('a purge takes the folders of its context from the disk, also one that is in use, when it is closed', async () => {
  const workspaces = machine(bucket());
  const idle = await workspaces.open(EMPTY, undefined, LIMITS);
  const used = await workspaces.open(EMPTY, undefined, LIMITS);
  const neighbour = { prefix: `${PREFIX}x`, packs: [] };
  const other = await workspaces.open(neighbour, undefined, LIMITS);
  await idle.close();
  await workspaces.prune(EMPTY, []);
  await other.close();
  expect([idle, used, other].map(({ folder }) => existsSync(folder))).toEqual([false, true, true]);
  await used.close();
  await used.close();
  expect(existsSync(used.folder)).toBe(false);
  const next = await workspaces.open(EMPTY, undefined, LIMITS);
  await next.close();
  expect(existsSync(next.folder)).toBe(true);
});

test('two that work in one repository at once have a folder each', async () => {
  const workspaces = machine(bucket());
  const one = await workspaces.open(EMPTY, undefined, LIMITS);
  const two = await workspaces.open(EMPTY, undefined, LIMITS);
  expect(one.folder).not.toBe(two.folder);
  writeFileSync(join(one.folder, 'a'), 'a');
  expect(snapshot(two.folder).size).toBe(0);
});
