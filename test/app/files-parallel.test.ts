import { describe, expect, it } from 'vitest';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import {
  contextFiles,
  foundBy,
  headFiles,
  obeying,
  OnceAfter,
  passedOn,
  told,
} from './files-world.ts';
import { row } from './waiting.ts';
import { World, type WorldOptions } from './world.ts';

/** Every task asks first, so that all of them have begun before the first one ends. */
async function begun(world: World, texts: readonly string[]): Promise<readonly string[]> {
  const tasks: string[] = [];
  for (const text of texts) tasks.push(await told(world, `${text}\nask`));
  return tasks;
}

async function completed(world: World, taskId: string, text = 'list'): Promise<void> {
  await world.send(text, { taskId });
  await world.work();
  // Another process may have much to do in between.
  for (let turn = 0; turn < 200 && (await world.state(taskId)) !== 'COMPLETED'; turn += 1)
    await world.rest();
  expect(await world.state(taskId)).toBe('COMPLETED');
}

const parallel = (options: WorldOptions = {}): World =>
  new World(obeying({ parallel: true }), options);

const refs = (world: World) => [...world.workspaces.repositories.published.values()][0];

describe('parallel tasks of one context', () => {
  it('each start from what completed last, and what does not overlap is merged', async () => {
    const world = parallel();
    await told(world, 'write a.txt base\nwrite b.txt base\nwrite c.txt base');
    const [one, two] = await begun(world, ['write a.txt one', 'delete b.txt\nwrite d.txt two']);
    await completed(world, one ?? '');
    await completed(world, two ?? '', 'write c.txt two');
    expect(await foundBy(world, two ?? '')).toEqual({
      'a.txt': 'base',
      'c.txt': 'base',
      'd.txt': 'two',
    });
    expect(await headFiles(world)).toEqual({ 'a.txt': 'one', 'c.txt': 'two', 'd.txt': 'two' });
    const files = await contextFiles(world);
    const entry = files?.tasks.find(({ task }) => task === two);
    const other = files?.tasks.find(({ task }) => task === one);
    // Two parents: what was there, and what the task left.
    expect(entry?.merged?.parents).toEqual([other?.own?.commit.id, entry?.own?.commit.id]);
    expect((await world.get(two ?? '')).metadata).toBeUndefined();
    expect(refs(world)?.branches.size).toBe(0);
    expect(refs(world)?.shallow).toEqual([]);
  });

  it('that overlap are both kept: the later as a branch named after its task, and the task says so', async () => {
    const world = parallel();
    await told(world, 'write a.txt base');
    const [one, two] = await begun(world, ['write a.txt one', 'write a.txt two\nwrite b.txt two']);
    await completed(world, one ?? '');
    await completed(world, two ?? '');
    expect(await headFiles(world)).toEqual({ 'a.txt': 'one' });
    const entry = (await contextFiles(world))?.tasks.find(({ task }) => task === two);
    expect((await world.get(two ?? '')).metadata).toEqual({
      files: {
        branch: `refs/heads/${two}`,
        commit: entry?.own?.commit.id,
        reason: 'overlap',
        paths: ['a.txt'],
      },
    });
    expect([...(refs(world)?.branches ?? [])]).toEqual([[two, entry?.own?.commit.id]]);
    // The next task goes on from what did merge.
    expect(await foundBy(world, await told(world, 'list'))).toEqual({ 'a.txt': 'one' });
  });

  it('that began with nothing are merged, too', async () => {
    const world = parallel();
    const [one, two] = await begun(world, ['write a.txt one', 'write b.txt two']);
    await completed(world, one ?? '');
    await completed(world, two ?? '');
    expect(await headFiles(world)).toEqual({ 'a.txt': 'one', 'b.txt': 'two' });
  });

  it('are merged again when another one completes between the merge and its commit', async () => {
    const meanwhile = new OnceAfter();
    const world = parallel({
      wrapWorkspaces: (below) =>
        passedOn(below, { merge: (...given) => meanwhile.done(below.merge(...given)) }),
    });
    await told(world, 'write base.txt base');
    const [one, two, three] = await begun(world, [
      'write 1.txt 1',
      'write 2.txt 2',
      'write 3.txt 3',
    ]);
    await completed(world, one ?? '');
    meanwhile.act = async () => {
      const other = new World(obeying({ parallel: true }), { below: world, seed: 9 });
      await completed(other, three ?? '');
    };
    await completed(world, two ?? '');
    expect(await headFiles(world)).toEqual({
      'base.txt': 'base',
      '1.txt': '1',
      '2.txt': '2',
      '3.txt': '3',
    });
    // What the first merge has uploaded was never listed: it is deleted with what was replaced.
    const files = await contextFiles(world);
    const known = new Set([
      ...(files?.packs.map(({ name }) => name) ?? []),
      ...(files?.doomed.flatMap(({ names }) => names) ?? []),
    ]);
    const packs = [...world.workspaces.repositories.packs.keys()];
    expect(packs.filter((path) => !known.has(path.split('/').at(-1) ?? ''))).toEqual([]);
    expect(await row(world, two ?? '')).toMatchObject({ files: { dueAt: expect.any(Number) } });
  });

  it('that meet another one at each of eight merges stay a branch: no round follows for ever', async () => {
    let others = 0;
    const world: World = parallel({
      wrapWorkspaces: (below) =>
        passedOn(below, {
          async merge(...given) {
            const merged = await below.merge(...given);
            others += 1;
            const other = new World(obeying({ parallel: true }), {
              below: world,
              seed: 20 + others,
            });
            if (others <= 10) await told(other, `write other-${others}.txt x`);
            return merged;
          },
        }),
    });
    await told(world, 'write base.txt base');
    const [one, two] = await begun(world, ['write 1.txt 1', 'write 2.txt 2']);
    const other = new World(obeying({ parallel: true }), { below: world, seed: 19 });
    await completed(other, one ?? '');
    await completed(world, two ?? '');
    expect((await world.get(two ?? '')).metadata).toMatchObject({ files: { reason: 'busy' } });
    expect(others).toBe(8);
    expect(Object.keys(await headFiles(world))).toHaveLength(10);
  });

  it('keep what they share when one of them is purged', async () => {
    const world = parallel();
    await told(world, 'write base.txt base');
    const [one, two] = await begun(world, ['write 1.txt 1', 'write 2.txt 2']);
    await completed(world, one ?? '');
    await completed(world, two ?? '');
    expect(await purgeRun(world.app, two ?? '')).toBe('purged');
    expect(await headFiles(world)).toEqual({ 'base.txt': 'base', '1.txt': '1' });
    const [three] = await begun(world, ['write 3.txt 3']);
    await completed(world, three ?? '');
    expect(await headFiles(world)).toEqual({ 'base.txt': 'base', '1.txt': '1', '3.txt': '3' });
  });
});
