import { describe, expect, it } from 'vitest';
import { projectRun } from '../../shared/app/change/project-run.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { headOf } from '../../shared/domain/context-files.ts';
import type { FilesForm } from '../../shared/domain/files.ts';
import type { Refs, Workspaces } from '../../shared/ports/workspaces.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { contextFiles, obeying, passedOn, told } from './files-world.ts';
import { passes } from './waiting.ts';
import { World } from './world.ts';

const refs = (world: World): Refs | undefined =>
  [...world.workspaces.repositories.published.values()][0];

function archiveOf(world: World, taskId: string): unknown {
  const object = world.blobs.objects.get(`contexts/ctx/${taskId}/workspace.tar.gz`);
  return object && JSON.parse(Buffer.from(object.body).toString());
}

describe('what other readers find of the files of a completed task', () => {
  it.each<[FilesForm, boolean, boolean]>([
    ['git', true, false],
    ['archive', false, true],
    ['both', true, true],
  ])('is, by %s: refs %s, an archive %s', async (form, hasRefs, hasArchive) => {
    const world = new World(obeying({ files: { form } }));
    const first = await told(world, 'write a.txt one');
    const second = await told(world, 'write a.txt two');
    const files = await contextFiles(world);
    const commits = files?.tasks.map(({ own }) => own?.commit.id);
    if (hasRefs) {
      expect(refs(world)?.main).toBe(commits?.[1]);
      expect([...(refs(world)?.tasks ?? [])]).toEqual([
        [first, commits?.[0]],
        [second, commits?.[1]],
      ]);
      expect(refs(world)?.shallow).toEqual([]);
    } else expect(refs(world)).toBeUndefined();
    expect(archiveOf(world, first)).toEqual(hasArchive ? { 'a.txt': 'one' } : undefined);
    expect(archiveOf(world, second)).toEqual(hasArchive ? { 'a.txt': 'two' } : undefined);
  });

  it('is nothing of a task that asks or fails', async () => {
    const world = new World(obeying({ files: { form: 'both' } }));
    const asked = await told(world, 'write a.txt one\nask');
    expect(archiveOf(world, asked)).toBeUndefined();
    expect(refs(world)).toBeUndefined();
    const failed = await told(world, 'write a.txt one\nfail', 'other');
    expect(archiveOf(world, failed)).toBeUndefined();
  });

  it.each(['publish', 'archive'] as const)(
    'comes later when %s failed, and again it changes nothing',
    async (call) => {
      const { world, returns } = without(call);
      const taskId = await told(world, 'write a.txt one');
      expect(await world.state(taskId)).toBe('COMPLETED');
      returns();
      await passes(world, 120_000);
      const files = await contextFiles(world);
      expect(refs(world)?.main).toBe(files && headOf(files)?.commit.id);
      expect(archiveOf(world, taskId)).toEqual({ 'a.txt': 'one' });
      const before = JSON.stringify([...world.blobs.objects.keys(), refs(world)?.version]);
      await projectRun(world.app, taskId);
      expect(JSON.stringify([...world.blobs.objects.keys(), refs(world)?.version])).toBe(before);
    },
  );

  it('comes later when it failed, also if a reader catches up meanwhile who knows the task as it asked', async () => {
    const { world, returns } = without('archive');
    const taskId = await told(world, 'write a.txt one\nask');
    const asking = await world.app.store.get(runDoc(taskId));
    await world.send('done', { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    await projectRun(world.app, taskId, asking);
    returns();
    await passes(world, 120_000);
    expect(archiveOf(world, taskId)).toEqual({ 'a.txt': 'one' });
  });
});

/** A world whose workspaces fail that call until the bucket returns. */
function without(call: 'publish' | 'archive') {
  let away = true;
  const world = new World(obeying({ files: { form: 'both' } }), {
    wrapWorkspaces: (below) =>
      passedOn(below, {
        [call]: (...given: Parameters<Workspaces[typeof call]>) =>
          away
            ? Promise.reject(new Unavailable('the bucket'))
            : Reflect.apply(below[call], below, given),
      }),
  });
  return {
    world,
    returns: () => {
      away = false;
    },
  };
}
