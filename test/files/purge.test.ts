import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FilesCommit, Repository, Workspaces } from '../../shared/ports/workspaces.ts';
import type { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { inflated } from './inflated.ts';
import { copied, git, HAS_GIT } from './real-git.ts';
import { bucket, EMPTY, LIMITS, listed, machine, PREFIX, task } from './repository.ts';
import { snapshot } from './snapshot.ts';

function hits(blobs: MemoryBlobs, canary: string): number {
  const plain = [...blobs.objects.values()].filter(({ body }) =>
    Buffer.from(body).includes(canary),
  );
  const bodies = [...blobs.objects].map(([name, { body }]) => ({ name, body }));
  return [...inflated(bodies)].filter((body) => body.includes(canary)).length + plain.length;
}

async function purge(
  workspaces: Workspaces,
  repository: Repository,
  live: readonly FilesCommit[],
): Promise<Repository> {
  const pruned = await workspaces.prune(repository, live);
  const next = listed(repository, pruned);
  await workspaces.discard(repository.prefix, pruned.replaced);
  return next;
}

async function tasks(workspaces: Workspaces, count: number) {
  let repository = EMPTY;
  const commits: FilesCommit[] = [];
  const files: ReadonlyMap<string, string>[] = [];
  for (let at = 0; at < count; at += 1) {
    const done = await task(
      workspaces,
      repository,
      commits.at(-1),
      `canary-message-${at}.`,
      (folder) => {
        writeFileSync(join(folder, `kept-${at}`), `of ${at}`.repeat(500));
        writeFileSync(join(folder, 'changing'), `canary-content-${at}.`.repeat(100));
        writeFileSync(join(folder, `canary-name-${at}.`), 'x');
        rmSync(join(folder, `canary-name-${at - 1}.`), { force: true });
      },
    );
    repository = done.repository;
    await workspaces.discard(repository.prefix, done.saved.replaced);
    commits.push(done.commit);
    const workspace = await workspaces.open(repository, done.commit, LIMITS);
    files.push(snapshot(workspace.folder));
    await workspace.close();
  }
  return { repository, commits, files };
}

test('a purge leaves nothing of a task that the others do not have, and the others whole; so does the next one', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const { repository, commits, files } = await tasks(workspaces, 8);
  for (const at of commits.keys()) {
    for (const kind of ['message', 'content', 'name']) {
      expect(hits(blobs, `canary-${kind}-${at}.`), `${kind} ${at}`).toBeGreaterThan(0);
    }
  }
  let now = repository;
  const gone = new Set<number>();
  for (const at of [3, 5, 0, 7]) {
    gone.add(at);
    const live = commits.filter((_, index) => !gone.has(index));
    now = await purge(workspaces, now, live);
    const cold = machine(blobs, 50 + at);
    for (const [index, commit] of commits.entries()) {
      for (const kind of ['message', 'content', 'name']) {
        const found = hits(blobs, `canary-${kind}-${index}.`);
        expect(found > 0, `${kind} ${index} after ${at}`).toBe(!gone.has(index));
      }
      if (gone.has(index)) continue;
      const workspace = await cold.open(now, commit, LIMITS);
      expect(snapshot(workspace.folder)).toEqual(files[index]);
      await workspace.close();
    }
  }
  // What lies in the bucket is what the row lists: two objects a pack.
  expect(blobs.objects.size).toBe(now.packs.length * 2);
});

test('a purge when nothing is to go copies nothing', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const { repository, commits } = await tasks(workspaces, 4);
  expect(await workspaces.prune(repository, commits)).toEqual({ added: [], replaced: [] });
});

test('when no commit is left no pack is', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const { repository } = await tasks(workspaces, 4);
  const next = await purge(workspaces, repository, []);
  expect(next.packs).toEqual([]);
  expect(blobs.objects.size).toBe(0);
});

test.skipIf(!HAS_GIT)('git takes a repository whose tasks were purged', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const { repository, commits } = await tasks(workspaces, 6);
  const [, second, , fourth, , sixth] = commits;
  if (second === undefined || fourth === undefined || sixth === undefined) throw new Error('six');
  const next = await purge(workspaces, repository, [second, fourth, sixth]);
  await workspaces.publish(next, {
    main: sixth.id,
    tasks: new Map([
      ['t2', second.id],
      ['t4', fourth.id],
      ['t6', sixth.id],
    ]),
    branches: new Map(),
    shallow: [second.id, fourth.id, sixth.id],
    version: 7,
  });
  const folder = copied(blobs, PREFIX);
  expect(git(folder, 'fsck', '--strict', '--full', '--no-dangling')).toBe('');
  expect(git(folder, 'log', '--all', '--format=%s').trim().split('\n').sort()).toEqual([
    'canary-message-1.',
    'canary-message-3.',
    'canary-message-5.',
  ]);
  git(folder, 'clone', '--quiet', `file://${folder}`, 'twin');
});
