import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FilesCommit } from '../../shared/ports/workspaces.ts';
import { bucket, EMPTY, LIMITS, machine, PREFIX, task } from './repository.ts';
import { copied, git, HAS_GIT } from './real-git.ts';
import { snapshot } from './snapshot.ts';
import { temporary } from './repository.ts';

/** Three tasks, one after the other, and their refs. */
async function threeTasks() {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const one = await task(workspaces, EMPTY, undefined, 'first\n\nwith a body', (folder) => {
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(join(folder, 'a/b/c.txt'), 'one\r\ntwo\r\n');
    writeFileSync(join(folder, 'a.txt'), 'x');
    writeFileSync(join(folder, 'a-b'), 'y', { mode: 0o755 });
    writeFileSync(join(folder, 'große Datei'), Buffer.alloc(9_000_000, 'z'));
  });
  const two = await task(workspaces, one.repository, one.commit, 'second', (folder) => {
    writeFileSync(join(folder, '.gitattributes'), '* text eol=crlf\n');
    symlinkSync('b/c.txt', join(folder, 'a/link'));
    rmSync(join(folder, 'a.txt'));
  });
  const three = await task(workspaces, two.repository, two.commit, 'third', (folder) => {
    writeFileSync(join(folder, 'a/b/d'), 'new');
  });
  const commits = [one, two, three].map(({ commit }) => commit) as [
    FilesCommit,
    FilesCommit,
    FilesCommit,
  ];
  const refs = {
    main: commits[2].id,
    tasks: new Map(commits.map(({ id }, at) => [`t${at + 1}`, id])),
    branches: new Map<string, string>(),
    shallow: [],
    version: 3,
  };
  await workspaces.publish(three.repository, refs);
  return { blobs, workspaces, repository: three.repository, commits, refs };
}

if (!HAS_GIT) process.stderr.write('git is not on this machine: what it reads is not tested\n');

describe.skipIf(!HAS_GIT)('a copied prefix', () => {
  test('passes fsck, and git shows its history', async () => {
    const { blobs, commits } = await threeTasks();
    const folder = copied(blobs, PREFIX);
    expect(git(folder, 'fsck', '--strict', '--full', '--no-dangling')).toBe('');
    expect(git(folder, 'log', '--format=%H %an %s').trim().split('\n')).toEqual([
      `${commits[2].id} editor third`,
      `${commits[1].id} editor second`,
      `${commits[0].id} editor first`,
    ]);
    expect(git(folder, 'rev-parse', 'refs/tasks/t2').trim()).toBe(commits[1].id);
    for (const object of blobs.objects.keys()) {
      if (object.endsWith('.idx')) git(folder, 'verify-pack', object.slice(PREFIX.length + 1));
    }
  });

  test('is cloned, and each task checks out as our restore has it', async () => {
    const { blobs, commits, repository } = await threeTasks();
    const bare = copied(blobs, PREFIX);
    for (const [at, commit] of commits.entries()) {
      const folder = temporary();
      git(bare, '--work-tree', folder, 'checkout', '-f', `refs/tasks/t${at + 1}`, '--', '.');
      const ours = await machine(blobs, 9).open(repository, commit, LIMITS);
      expect(snapshot(folder)).toEqual(snapshot(ours.folder));
      rmSync(join(bare, 'index'));
    }
    git(bare, 'clone', '--quiet', bare, 'twin');
    const files = git(join(bare, 'twin'), '-c', 'core.quotePath=off', 'ls-files').trim();
    expect(files.split('\n')).toEqual([
      '.gitattributes',
      'a-b',
      'a/b/c.txt',
      'a/b/d',
      'a/link',
      'große Datei',
    ]);
  });
});

test('an older publisher changes nothing that a newer one has written', async () => {
  const { blobs, workspaces, repository, commits, refs } = await threeTasks();
  const before = new Map([...blobs.objects].map(([name, { generation }]) => [name, generation]));
  const older = { ...refs, main: commits[0].id, tasks: new Map(), shallow: [commits[1].id] };
  await workspaces.publish(repository, { ...older, version: 2 });
  const after = new Map([...blobs.objects].map(([name, { generation }]) => [name, generation]));
  expect(after).toEqual(before);
});
