import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspaces } from '../../shared/files/workspaces.ts';
import { isFault } from '../../shared/ports/faults.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { bucket, EMPTY, LIMITS, machine, task, temporary } from './repository.ts';
import { snapshot } from './snapshot.ts';

const CONTENT = 'some text that can be damaged\n';

async function saved() {
  const blobs = bucket();
  let files: ReadonlyMap<string, string> = new Map();
  const done = await task(machine(blobs), EMPTY, undefined, 'one', (folder) => {
    writeFileSync(join(folder, 'text'), CONTENT.repeat(20));
    writeFileSync(join(folder, 'more'), 'more');
    files = snapshot(folder);
  });
  return { blobs, files, ...done };
}

test('a byte that is wrong in the bucket is found before a file has its name', async () => {
  const { blobs, repository, commit, files } = await saved();
  let found = 0;
  for (const [name, object] of blobs.objects) {
    for (let at = 0; at < object.body.byteLength; at += 3) {
      const body = object.body.slice();
      body[at] = (body[at] ?? 0) ^ 0x41;
      blobs.objects.set(name, { ...object, body });
      const scratch = join(temporary(), 'scratch');
      const ids = seededIds();
      const workspaces = createWorkspaces({ blobs, ids, scratch, keptBytes: 0 });
      try {
        const workspace = await workspaces.open(repository, commit, LIMITS);
        // The head and the trailer of a pack are for git; a restore does not need them.
        expect(snapshot(workspace.folder)).toEqual(files);
      } catch (error) {
        found += 1;
        expect(isFault(error) && error.name, `${name}, byte ${at}`).toBe('Unreadable');
        // Nothing is left of the folder.
        expect(readdirSync(scratch)).toEqual(['drafts']);
      }
    }
    blobs.objects.set(name, object);
  }
  const total = [...blobs.objects.values()].reduce((sum, { body }) => sum + body.byteLength, 0);
  expect(found).toBeGreaterThan((total - 12 - 20) / 3 - 3);
});

test('a large file that is wrong in the bucket gets no name', async () => {
  const blobs = bucket();
  const { repository, commit } = await task(machine(blobs), EMPTY, undefined, 'one', (folder) => {
    const body = Buffer.alloc(12 * 1024 * 1024);
    for (let at = 0; at < body.length; at += 1) body[at] = (at * at * 2_654_435_761) >>> 24;
    writeFileSync(join(folder, 'large'), body);
  });
  const [name = '', object] = [...blobs.objects].find(([each]) => each.endsWith('.pack')) ?? [];
  if (object === undefined) throw new Error('no pack');
  expect(object.body.byteLength).toBeGreaterThan(4 * 1024 * 1024);
  for (const at of [300, object.body.byteLength >> 1, object.body.byteLength - 30]) {
    const body = object.body.slice();
    body[at] = (body[at] ?? 0) ^ 1;
    blobs.objects.set(name, { ...object, body });
    await expect(machine(blobs).open(repository, commit, LIMITS)).rejects.toMatchObject({
      name: 'Unreadable',
      advice: 'stop',
    });
  }
});

test('a pack that is gone says that the row has to be read again', async () => {
  for (const suffix of ['.pack', '.idx']) {
    const { blobs, repository, commit } = await saved();
    for (const name of blobs.objects.keys()) if (name.endsWith(suffix)) blobs.objects.delete(name);
    await expect(machine(blobs).open(repository, commit, LIMITS)).rejects.toMatchObject({
      name: 'PackGone',
      advice: 'retry',
    });
  }
});

test('a commit that no listed pack has is refused', async () => {
  const { blobs, commit } = await saved();
  await expect(machine(blobs).open(EMPTY, commit, LIMITS)).rejects.toMatchObject({
    name: 'Unreadable',
  });
});

test('a folder over the limits is refused before a request', async () => {
  const { blobs, repository, commit } = await saved();
  const workspaces = machine(blobs);
  blobs.objects.clear();
  for (const limits of [
    { ...LIMITS, count: 1 },
    { ...LIMITS, bytes: 10 },
  ]) {
    await expect(workspaces.open(repository, commit, limits)).rejects.toMatchObject({
      name: 'WorkspaceRefused',
    });
  }
});

test('what the folder may not hold is refused by name, and nothing is uploaded', async () => {
  const cases: readonly [string, object, (folder: string) => void, string][] = [
    ['count', { count: 1 }, two, 'has more than 1 files'],
    ['bytes', { bytes: 5 }, two, 'has more than 5 bytes'],
    ['file', { fileBytes: 3 }, two, 'a has 4 bytes; the limit is 3'],
  ];
  for (const [name, limit, work, rule] of cases) {
    const blobs = bucket();
    const workspaces = machine(blobs);
    const workspace = await workspaces.open(EMPTY, undefined, { ...LIMITS, ...limit });
    work(workspace.folder);
    const words = { author: 'a', message: 'm', at: 0, parents: [] };
    await expect(workspace.save(EMPTY, words), name).rejects.toThrow(rule);
    expect(blobs.objects.size).toBe(0);
    // What can't be kept is not kept on the disk either.
    await workspace.close();
    expect(existsSync(workspace.folder)).toBe(false);
  }
});

function two(folder: string): void {
  writeFileSync(join(folder, 'a'), 'four');
  writeFileSync(join(folder, 'b'), 'four');
}
