import fs from 'node:fs';
import { join } from 'node:path';
import git from 'isomorphic-git';
import { expect, test } from 'vitest';
import { bucket, EMPTY, machine, PREFIX, task, temporary } from './repository.ts';
import { copied } from './real-git.ts';
import { snapshot } from './snapshot.ts';

test('a second reader finds the history, and checks out what was saved', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const one = await task(workspaces, EMPTY, undefined, 'first', (folder) => {
    fs.mkdirSync(join(folder, 'a'));
    fs.writeFileSync(join(folder, 'a/x'), 'x');
    fs.writeFileSync(join(folder, 'a.b'), 'sorts before a/', { mode: 0o755 });
    fs.writeFileSync(join(folder, 'large'), Buffer.alloc(5_000_000, 'large'));
  });
  let model: ReadonlyMap<string, string> = new Map();
  const two = await task(workspaces, one.repository, one.commit, 'second', (folder) => {
    fs.rmSync(join(folder, 'a.b'));
    fs.symlinkSync('a/x', join(folder, 'link'));
    model = snapshot(folder);
  });
  await workspaces.publish(two.repository, {
    main: two.commit.id,
    tasks: new Map(),
    branches: new Map(),
    shallow: [],
    version: 1,
  });
  const gitdir = copied(blobs, PREFIX);
  const log = await git.log({ fs, gitdir, ref: 'main' });
  expect(log.map(({ oid }) => oid)).toEqual([two.commit.id, one.commit.id]);
  expect(log.map(({ commit }) => commit.message.split('\n')[0])).toEqual(['second', 'first']);
  expect(log[0]?.commit.parent).toEqual([one.commit.id]);
  const dir = temporary();
  await git.checkout({ fs, gitdir, dir, ref: 'main' });
  expect(snapshot(dir)).toEqual(model);
});
