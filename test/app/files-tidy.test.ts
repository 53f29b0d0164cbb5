import { describe, expect, it } from 'vitest';
import { tidyRun } from '../../shared/app/change/tidy-run.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { prefixOf } from '../../shared/app/files/repository.ts';
import { changeRun } from '../../shared/app/change/change-run.ts';
import { contextFiles, headFiles, obeying, told } from './files-world.ts';
import { row } from './waiting.ts';
import { World } from './world.ts';

/** A task that failed with files, and a pack beside them that no row names. */
async function failed() {
  const world = new World(obeying());
  await told(world, 'write a.txt kept');
  const taskId = await told(world, 'write a.txt lost\nfail');
  const run = await row(world, taskId);
  const orphan = `${prefixOf(run, run.files?.repository ?? '')}/orphan`;
  world.workspaces.repositories.packs.set(orphan, { objects: new Map(), at: world.clock.now() });
  return { world, taskId, orphan, run };
}

const dueOf = async (world: World, taskId: string) => (await row(world, taskId)).files?.dueAt;

describe('what a task that was cut off left in the repository of its context', () => {
  it('goes when it is due, not before, and with nothing that a row names', async () => {
    const { orphan, run, taskId, world } = await failed();
    const { packs } = world.workspaces.repositories;
    const { filesOrphans } = world.app.settings;
    expect(await dueOf(world, taskId)).toBe(run.statusAt + filesOrphans);
    await world.clock.advance(filesOrphans - 1);
    await tidyRun(world.app, taskId);
    expect([packs.has(orphan), await dueOf(world, taskId)]).toEqual([
      true,
      run.statusAt + filesOrphans,
    ]);
    await world.clock.advance(60_000);
    await sweep(world.app);
    await world.work();
    expect([packs.has(orphan), await dueOf(world, taskId)]).toEqual([false, undefined]);
    expect(await headFiles(world)).toEqual({ 'a.txt': 'kept' });
  });

  it('is due once more while packs that were replaced are still read', async () => {
    const { taskId, world } = await failed();
    for (const n of [1, 2, 3, 4]) await told(world, `write a.txt ${n}`);
    await world.clock.advance(world.app.settings.filesOrphans + 60_000);
    await told(world, 'write a.txt 5');
    for (const n of [6, 7, 8]) await told(world, `write a.txt ${n}`);
    await tidyRun(world.app, taskId);
    const doomed = (await contextFiles(world))?.doomed ?? [];
    expect(doomed.length).toBeGreaterThan(0);
    expect(await dueOf(world, taskId)).toBe(Math.min(...doomed.map(({ after }) => after)));
    expect(await headFiles(world)).toEqual({ 'a.txt': '8' });
  });

  it('is left alone where the context has another repository by now', async () => {
    const { orphan, taskId, world } = await failed();
    await changeRun(world.app, taskId, {
      decide: (run) => ({ ...run, files: { ...run.files, repository: 'another', form: 'git' } }),
    });
    await world.clock.advance(world.app.settings.filesOrphans + 60_000);
    await tidyRun(world.app, taskId);
    expect(world.workspaces.repositories.packs.has(orphan)).toBe(true);
    expect(await dueOf(world, taskId)).toBeUndefined();
  });

  it('is nothing of a run that is gone', async () => {
    const { world } = await failed();
    await tidyRun(world.app, world.app.ids.uuid());
    expect(await headFiles(world)).toEqual({ 'a.txt': 'kept' });
  });
});
