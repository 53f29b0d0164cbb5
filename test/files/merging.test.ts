import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FilesCommit, Repository, Workspaces } from '../../shared/ports/workspaces.ts';
import { bucket, EMPTY, LIMITS, listed, machine, task, words } from './repository.ts';
import { snapshot } from './snapshot.ts';

/** Two tasks that began with the same files. */
async function fork(
  workspaces: Workspaces,
  ours: (folder: string) => void,
  theirs: (folder: string) => void,
) {
  const start = await task(workspaces, EMPTY, undefined, 'start', (folder) => {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/a'), 'a'.repeat(10));
    writeFileSync(join(folder, 'src/b'), 'b'.repeat(20));
    writeFileSync(join(folder, 'readme'), 'r'.repeat(40));
  });
  const first = await task(workspaces, start.repository, start.commit, 'ours', ours);
  const second = await task(workspaces, first.repository, start.commit, 'theirs', theirs);
  const sides = { base: start.commit, ours: first.commit, theirs: second.commit };
  return { repository: second.repository, sides };
}

async function filesOf(workspaces: Workspaces, repository: Repository, commit: FilesCommit) {
  const workspace = await workspaces.open(repository, commit, LIMITS);
  const files = snapshot(workspace.folder);
  await workspace.close();
  return files;
}

test('what two tasks changed in different files is all there, and counted once', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const both = (folder: string) => {
    writeFileSync(join(folder, 'alike'), 'x'.repeat(500));
    writeFileSync(join(folder, 'readme'), 'R'.repeat(41));
    rmSync(join(folder, 'src/b'));
  };
  const { repository, sides } = await fork(
    workspaces,
    (folder) => {
      both(folder);
      writeFileSync(join(folder, 'src/a'), 'A'.repeat(11));
    },
    (folder) => {
      both(folder);
      symlinkSync('src/a', join(folder, 'link'));
      mkdirSync(join(folder, 'new'));
    },
  );
  // On another machine, which has nothing of them.
  const cold = machine(blobs, 9);
  const message = words('merge', sides.ours, sides.theirs);
  const merged = await cold.merge(repository, sides, LIMITS, message);
  if (merged.kind !== 'merged') throw new Error(merged.kind);
  const next = listed(repository, merged.saved);
  const files = await filesOf(cold, next, merged.saved.commit);
  expect(files).toEqual(
    new Map([
      ['alike', `file ${'x'.repeat(500)}`],
      ['link', 'link src/a'],
      ['new', 'folder'],
      ['readme', `file ${'R'.repeat(41)}`],
      ['src', 'folder'],
      ['src/a', `file ${'A'.repeat(11)}`],
    ]),
  );
  expect(merged.saved.commit).toMatchObject({ count: 4, bytes: 500 + 41 + 11 + 5 });
});

test('an overlap names its paths, and uploads nothing', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const { repository, sides } = await fork(
    workspaces,
    (folder) => {
      writeFileSync(join(folder, 'src/a'), 'ours');
      rmSync(join(folder, 'src/b'));
      writeFileSync(join(folder, 'Notes'), 'n');
      writeFileSync(join(folder, 'ours'), 'o');
    },
    (folder) => {
      writeFileSync(join(folder, 'src/a'), 'theirs');
      writeFileSync(join(folder, 'src/b'), 'changed');
      writeFileSync(join(folder, 'notes'), 'n');
    },
  );
  const before = blobs.objects.size;
  const merged = await workspaces.merge(repository, sides, LIMITS, words('merge'));
  expect(merged).toEqual({ kind: 'overlap', paths: ['notes', 'src/a', 'src/b'], more: 0 });
  expect(blobs.objects.size).toBe(before);
});

test('of many overlaps a hundred are named, and the others counted', async () => {
  const workspaces = machine(bucket());
  const all = (text: string) => (folder: string) => {
    for (let at = 0; at < 130; at += 1) writeFileSync(join(folder, `f${at}`), text);
  };
  const { repository, sides } = await fork(workspaces, all('ours'), all('theirs'));
  const merged = await workspaces.merge(repository, sides, LIMITS, words('merge'));
  expect(merged).toMatchObject({ kind: 'overlap', more: 30 });
  if (merged.kind === 'overlap') expect(merged.paths).toHaveLength(100);
});

test('two folders that are too much together are not merged', async () => {
  const blobs = bucket();
  const workspaces = machine(blobs);
  const { repository, sides } = await fork(
    workspaces,
    (folder) => writeFileSync(join(folder, 'one'), '1'.repeat(100)),
    (folder) => writeFileSync(join(folder, 'two'), '2'.repeat(100)),
  );
  const before = blobs.objects.size;
  const few = { ...LIMITS, count: 4 };
  expect(await workspaces.merge(repository, sides, few, words('merge'))).toEqual({
    kind: 'too-large',
    what: 'count',
    limit: 4,
  });
  const small = { ...LIMITS, bytes: 269 };
  expect(await workspaces.merge(repository, sides, small, words('merge'))).toEqual({
    kind: 'too-large',
    what: 'bytes',
    limit: 269,
  });
  expect(blobs.objects.size).toBe(before);
  const enough = { ...LIMITS, count: 5, bytes: 270 };
  const merged = await workspaces.merge(repository, sides, enough, words('merge'));
  expect(merged.kind).toBe('merged');
});

test('tasks that began with nothing merge, too', async () => {
  const workspaces = machine(bucket());
  const one = await task(workspaces, EMPTY, undefined, 'one', (folder) =>
    writeFileSync(join(folder, 'a'), '1'),
  );
  const two = await task(workspaces, one.repository, undefined, 'two', (folder) =>
    writeFileSync(join(folder, 'b'), '2'),
  );
  const sides = { base: undefined, ours: one.commit, theirs: two.commit };
  const merged = await workspaces.merge(two.repository, sides, LIMITS, words('merge'));
  if (merged.kind !== 'merged') throw new Error(merged.kind);
  const files = await filesOf(
    workspaces,
    listed(two.repository, merged.saved),
    merged.saved.commit,
  );
  expect([...files.keys()]).toEqual(['a', 'b']);
});
