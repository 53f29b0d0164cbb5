import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FilesCommit } from '../../shared/ports/workspaces.ts';
import { bucket, EMPTY, LIMITS, machine, task, temporary } from './repository.ts';
import { snapshot } from './snapshot.ts';

const NAMES = ['a', 'b', 'a.b', 'a-b', 'a0', 'ä', 'zz', '𝒜', '\uffee', 'c d'];

/** One change of a folder. */
type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly body: string; readonly times: number }
  | { readonly kind: 'folder' | 'remove' | 'program'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string };

const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      path,
      body: fc.string({ maxLength: 20 }),
      times: fc.constantFrom(...Array<number>(24).fill(1), 3_000, 3_000, 3_000, 3_000, 300_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('folder' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('program' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('link' as const), path, target: path }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), path, to: path }) },
);

/** Whether the path lies in real folders only; an edit elsewhere is left out. */
function parentsOf(root: string, place: string): boolean {
  const parts = place.split('/').slice(0, -1);
  return parts.every((_, at) => {
    const parent = join(root, ...parts.slice(0, at + 1));
    const stats = lstatSync(parent, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(parent);
    return stats === undefined || stats.isDirectory();
  });
}

function apply(root: string, change: Edit): void {
  const place = join(root, change.path);
  if (!parentsOf(root, change.path)) return;
  const there = lstatSync(place, { throwIfNoEntry: false });
  switch (change.kind) {
    case 'write':
      if (there !== undefined && !there.isFile()) return;
      writeFileSync(place, change.body.repeat(change.times));
      return;
    case 'folder':
      if (there === undefined) mkdirSync(place);
      return;
    case 'remove':
      rmSync(place, { recursive: true, force: true });
      return;
    case 'program':
      if (there?.isFile() === true) chmodSync(place, 0o755);
      return;
    case 'link':
      if (there === undefined) symlinkSync(change.target, place);
      return;
    case 'move': {
      const to = join(root, change.to);
      if (there === undefined || existsSync(to) || `${to}/`.startsWith(`${place}/`)) return;
      if (parentsOf(root, change.to) && lstatSync(to, { throwIfNoEntry: false }) === undefined) {
        // A link that is moved may lead elsewhere, also out.
        if (there.isFile()) renameSync(place, to);
      }
    }
  }
}

test('whatever tasks do to a folder, each commit comes back as a plain copy of it, cold and warm', async () => {
  const tasks = fc.array(fc.array(edit, { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(tasks, async (rounds) => {
      const blobs = bucket();
      const workspaces = machine(blobs);
      const model = temporary();
      let repository = EMPTY;
      let at: FilesCommit | undefined;
      const past: { readonly commit: FilesCommit; readonly files: ReadonlyMap<string, string> }[] =
        [];
      for (const [round, edits] of rounds.entries()) {
        for (const change of edits) apply(model, change);
        const done = await task(workspaces, repository, at, `task ${round}`, (folder) => {
          for (const change of edits) apply(folder, change);
          expect(snapshot(folder)).toEqual(snapshot(model));
        });
        repository = done.repository;
        at = done.commit;
        past.push({ commit: at, files: snapshot(model) });
      }
      const cold = machine(blobs, 2);
      for (const { commit, files } of past) {
        for (const each of [cold, workspaces]) {
          const workspace = await each.open(repository, commit, LIMITS);
          expect(snapshot(workspace.folder)).toEqual(files);
          await workspace.close();
        }
      }
      rmSync(model, { recursive: true });
    }),
    { numRuns: 60 },
  );
});
