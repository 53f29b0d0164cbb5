import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Blobs } from '../../shared/ports/blobs.ts';
import type {
  FilesCommit,
  Repository,
  Saved,
  WorkspaceLimits,
  Workspaces,
} from '../../shared/ports/workspaces.ts';
import { LIMITS, listed, words } from '../files/repository.ts';
import { snapshot } from '../files/snapshot.ts';

export interface OpenedWorkspaces {
  readonly blobs: Blobs;
  readonly workspaces: Workspaces;
  /** A second one over the same objects, with a disk of its own, as another process has it. */
  readonly other: Workspaces;
  /** A moment after everything that was uploaded. */
  later(this: void): number;
  close(): Promise<void>;
}

type Contents = Readonly<Record<string, string>>;

/** Files of contexts. Each test has a repository of its own; nothing is cleared. */
export function workspacesSuite(name: string, open: () => Promise<OpenedWorkspaces>): void {
  const start = async () => {
    const opened = await open();
    onTestFinished(() => opened.close());
    return { ...opened, empty: { prefix: `contexts/c/${randomUUID()}.git`, packs: [] } };
  };

  describe(`${name}: files of contexts`, () => {
    test('what one process saves another opens, and an earlier commit is there as it was', async () => {
      const { workspaces, other, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1', 'sub/b': '2' });
      const two = await save(workspaces, one.repository, one.commit, { a: '3' }, ['sub']);
      expect(one.commit).toMatchObject({ count: 2, bytes: 2 });
      expect(two.commit).toMatchObject({ count: 1, bytes: 1 });
      expect(await filesOf(other, two.repository, two.commit)).toEqual({ a: '3' });
      expect(await filesOf(other, two.repository, one.commit)).toEqual({ a: '1', 'sub/b': '2' });
      expect(await filesOf(workspaces, two.repository, one.commit)).toEqual({
        a: '1',
        'sub/b': '2',
      });
    });

    test('a commit is looked at without a folder: what it says, holds and changed', async () => {
      const { workspaces, other, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1', 'sub/b': '2', c: '3' });
      const workspace = await workspaces.open(one.repository, one.commit, LIMITS);
      write(workspace.folder, { a: '4', 'sub/d': '5' });
      rmSync(join(workspace.folder, 'c'));
      const saved = await workspace.save(one.repository, words('more', one.commit));
      await workspace.close();
      const repository = listed(one.repository, saved);
      const { id } = saved.commit;
      const said = { ...words('more', one.commit), id };
      expect(await other.look(repository, id)).toEqual({
        commit: said,
        files: ['a', 'sub/b', 'sub/d'].map((path) => ({ path, kind: 'file' })),
        changes: [
          { path: 'a', change: 'changed' },
          { path: 'c', change: 'removed' },
          { path: 'sub/d', change: 'added' },
        ],
      });
      const first = await other.look(repository, one.commit.id);
      expect(first.changes?.map(({ change, path }) => `${change} ${path}`)).toEqual([
        'added a',
        'added c',
        'added sub/b',
      ]);
      const none = 'f'.repeat(40);
      expect(await other.history(repository, [id, none, one.commit.id])).toEqual([
        said,
        first.commit,
      ]);
    });

    test('a file of a commit is read by its path, and what is none is not there', async () => {
      const { workspaces, other, empty } = await start();
      const large = 'x'.repeat(300_000);
      const { commit, repository } = await save(workspaces, empty, undefined, {
        'sub/b': 'text',
        large,
      });
      const read = async (path: string) => {
        const found = await other.read(repository, commit.id, path);
        if (found === undefined) return undefined;
        const pieces: Uint8Array[] = [];
        for await (const piece of found.body) pieces.push(piece);
        return { ...found, body: Buffer.concat(pieces).toString() };
      };
      expect(await read('sub/b')).toEqual({ kind: 'file', bytes: 4, body: 'text' });
      expect(await read('large')).toEqual({ kind: 'file', bytes: 300_000, body: large });
      for (const path of ['sub', 'b', 'sub/b/c', '../sub/b', 'sub/', '/large', ''])
        expect(await read(path), path).toBeUndefined();
    });

    test('what a commit changed is not known once its parent is pruned', async () => {
      const { workspaces, other, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      const workspace = await workspaces.open(one.repository, one.commit, LIMITS);
      write(workspace.folder, { a: '2' });
      const saved = await workspace.save(one.repository, words('more', one.commit));
      await workspace.close();
      const both = listed(one.repository, saved);
      const repository = listed(both, await workspaces.prune(both, [saved.commit]));
      const { changes, files } = await other.look(repository, saved.commit.id);
      expect({ changes, files }).toEqual({
        changes: undefined,
        files: [{ path: 'a', kind: 'file' }],
      });
    });

    test('without a commit a folder is empty, also where others were', async () => {
      const { workspaces, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      expect(await filesOf(workspaces, one.repository, undefined)).toEqual({});
    });

    test('the same content with the same words is the same commit, and nothing is uploaded', async () => {
      const { workspaces, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      const workspace = await workspaces.open(one.repository, one.commit, LIMITS);
      const same = await workspace.save(one.repository, { ...words('save'), at: 1_000 });
      expect(same).toEqual({ commit: one.commit, added: [], replaced: [] });
      const next = await workspace.save(one.repository, words('other words', one.commit));
      expect(next.commit.tree).toBe(one.commit.tree);
      expect(next.commit.id).not.toBe(one.commit.id);
      expect(next.added).toHaveLength(1);
    });

    test('what was not saved is not there when the folder is opened again', async () => {
      const { workspaces, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1', b: '2' });
      const lost = await workspaces.open(one.repository, one.commit, LIMITS);
      write(lost.folder, { a: 'lost', c: 'lost' });
      rmSync(join(lost.folder, 'b'));
      await lost.close();
      expect(await filesOf(workspaces, one.repository, one.commit)).toEqual({ a: '1', b: '2' });
    });

    test('an upload that no row lists changes nothing', async () => {
      const { workspaces, other, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      await save(workspaces, one.repository, one.commit, { a: 'lost' });
      const two = await save(other, one.repository, one.commit, { b: '2' });
      expect(await filesOf(other, two.repository, two.commit)).toEqual({ a: '1', b: '2' });
    });

    test('what a folder may not hold is refused by its path, and the earlier files stay', async () => {
      const { workspaces, empty } = await start();
      const refused = async (limits: Partial<WorkspaceLimits>, work: (folder: string) => void) => {
        const workspace = await workspaces.open(empty, undefined, { ...LIMITS, ...limits });
        work(workspace.folder);
        const error: unknown = await workspace.save(empty, words('save')).catch((each) => each);
        await workspace.close();
        return error;
      };
      const name = 'WorkspaceRefused';
      expect(
        await refused({}, (folder) => symlinkSync('/etc/passwd', join(folder, 'out'))),
      ).toMatchObject({ name, path: 'out' });
      expect(
        await refused({ fileBytes: 2 }, (folder) => write(folder, { 'sub/large': '123' })),
      ).toMatchObject({ name, path: 'sub/large' });
      expect(
        await refused({ count: 1 }, (folder) => write(folder, { a: '1', b: '2' })),
      ).toMatchObject({ name, path: '' });
    });

    test('changes of different files merge, and both sides are counted', async () => {
      const { workspaces, other, empty } = await start();
      const { repository, sides } = await forked(workspaces, empty, { a: 'ours' }, { c: 'theirs' });
      const merged = await other.merge(repository, sides, LIMITS, words('merge'));
      if (merged.kind !== 'merged') throw new Error(merged.kind);
      const next = listed(repository, merged.saved);
      expect(await filesOf(workspaces, next, merged.saved.commit)).toEqual({
        a: 'ours',
        b: 'base',
        c: 'theirs',
      });
      expect(merged.saved.commit).toMatchObject({ count: 3, bytes: 14 });
    });

    test('changes of one file overlap; alike they do not', async () => {
      const { workspaces, empty } = await start();
      const both = { a: 'alike', n: 'alike' };
      const apart = await forked(workspaces, empty, { ...both, b: 'ours' }, { ...both, b: 'x' });
      const overlap = await workspaces.merge(apart.repository, apart.sides, LIMITS, words('m'));
      expect(overlap).toEqual({ kind: 'overlap', paths: ['b'], more: 0 });
      const alike = await forked(workspaces, empty, both, both);
      const merged = await workspaces.merge(alike.repository, alike.sides, LIMITS, words('m'));
      if (merged.kind !== 'merged') throw new Error(merged.kind);
      expect(merged.saved.commit).toMatchObject({ count: 3, bytes: 14 });
    });

    test('a merge over the limits uploads nothing and says which', async () => {
      const { workspaces, empty } = await start();
      const { repository, sides } = await forked(workspaces, empty, { n: '1' }, { m: '2' });
      const few = { ...LIMITS, count: 3 };
      expect(await workspaces.merge(repository, sides, few, words('merge'))).toEqual({
        kind: 'too-large',
        what: 'count',
        limit: 3,
      });
      const small = { ...LIMITS, bytes: 9 };
      expect(await workspaces.merge(repository, sides, small, words('merge'))).toEqual({
        kind: 'too-large',
        what: 'bytes',
        limit: 9,
      });
    });

    test('a purge of one commit after the other takes that one alone', async () => {
      const { workspaces, other, empty } = await start();
      let repository: Repository = empty;
      const commits: FilesCommit[] = [];
      for (const at of [0, 1, 2, 3, 4]) {
        const own = { shared: 'shared', changing: `${at}`, [`own-${at}`]: 'own' };
        const next = await save(workspaces, repository, commits.at(-1), own);
        repository = next.repository;
        commits.push(next.commit);
      }
      const gone = new Set<number>();
      for (const at of [2, 0]) {
        gone.add(at);
        const live = commits.filter((_, each) => !gone.has(each));
        const pruned = await workspaces.prune(repository, live);
        expect(pruned.replaced.length).toBeGreaterThan(0);
        repository = listed(repository, pruned);
        await workspaces.discard(repository.prefix, pruned.replaced);
        for (const [each, commit] of commits.entries()) {
          const opened = filesOf(other, repository, commit);
          if (gone.has(each)) await expect(opened).rejects.toThrow();
          else expect(await opened).toMatchObject({ shared: 'shared', changing: `${each}` });
        }
      }
      const live = commits.filter((_, each) => !gone.has(each));
      expect(await workspaces.prune(repository, live)).toEqual({ added: [], replaced: [] });
    });

    test('an archive is written once: of what its first commit had', async () => {
      const { blobs, workspaces, other, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      const two = await save(workspaces, one.repository, one.commit, { a: '2' });
      const object = `${empty.prefix}-archive.tar.gz`;
      await other.archive(two.repository, one.commit, object);
      const written = await blobs.get(object);
      expect(written).toMatchObject({ contentType: 'application/gzip' });
      await workspaces.archive(two.repository, two.commit, object);
      expect((await blobs.get(object))?.generation).toBe(written?.generation);
    });

    test('a row whose packs were replaced and deleted has to be read again', async () => {
      const { workspaces, other, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      await workspaces.discard(
        one.repository.prefix,
        one.saved.added.map((pack) => pack.name),
      );
      await expect(other.open(one.repository, one.commit, LIMITS)).rejects.toMatchObject({
        name: 'PackGone',
        advice: 'retry',
      });
    });

    test('a sweep takes uploads that are old, and neither listed nor kept', async () => {
      const { workspaces, other, later, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      const kept = await save(workspaces, empty, undefined, { b: '2' });
      await save(workspaces, empty, undefined, { c: '3' });
      const keep = kept.saved.added.map((pack) => pack.name);
      expect(await workspaces.sweep(one.repository, keep, 0)).toBe(0);
      expect(await workspaces.sweep(one.repository, keep, later())).toBeGreaterThan(0);
      expect(await workspaces.sweep(one.repository, keep, later())).toBe(0);
      expect(await filesOf(other, one.repository, one.commit)).toEqual({ a: '1' });
      expect(await filesOf(other, kept.repository, kept.commit)).toEqual({ b: '2' });
    });

    test('a repository that is removed is gone, and another of the context is not', async () => {
      const { workspaces, other, empty } = await start();
      const one = await save(workspaces, empty, undefined, { a: '1' });
      const neighbour = { prefix: `${empty.prefix}x`, packs: [] };
      const two = await save(workspaces, neighbour, undefined, { b: '2' });
      await workspaces.remove(empty.prefix);
      await expect(filesOf(other, one.repository, one.commit)).rejects.toThrow();
      expect(await filesOf(other, two.repository, two.commit)).toEqual({ b: '2' });
    });
  });
}

function write(folder: string, files: Contents): void {
  for (const [path, body] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), body);
  }
}

async function save(
  workspaces: Workspaces,
  repository: Repository,
  at: FilesCommit | undefined,
  files: Contents,
  removed: readonly string[] = [],
): Promise<{
  readonly repository: Repository;
  readonly commit: FilesCommit;
  readonly saved: Saved;
}> {
  const workspace = await workspaces.open(repository, at, LIMITS);
  write(workspace.folder, files);
  for (const path of removed) rmSync(join(workspace.folder, path), { recursive: true });
  const saved = await workspace.save(repository, words('save'));
  await workspace.close();
  return { repository: listed(repository, saved), commit: saved.commit, saved };
}

/** Files only, by their path. */
async function filesOf(
  workspaces: Workspaces,
  repository: Repository,
  at: FilesCommit | undefined,
): Promise<Contents> {
  const workspace = await workspaces.open(repository, at, LIMITS);
  const found = [...snapshot(workspace.folder)].flatMap(([path, content]) =>
    content.startsWith('file ') ? [[path, content.slice(5)] as const] : [],
  );
  await workspace.close();
  return Object.fromEntries(found);
}

async function forked(workspaces: Workspaces, empty: Repository, ours: Contents, theirs: Contents) {
  const base = await save(workspaces, empty, undefined, { a: 'base', b: 'base' });
  const one = await save(workspaces, base.repository, base.commit, ours);
  const two = await save(workspaces, one.repository, base.commit, theirs);
  const sides = { base: base.commit, ours: one.commit, theirs: two.commit };
  return { repository: two.repository, sides };
}
