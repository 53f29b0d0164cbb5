import { expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { taskIdOf } from '../../shared/gcp/tasks/route.ts';
import { World, type WorldOptions } from './world.ts';
import { wrappedBlobs } from './wrapped.ts';

const agent = defineAgent({ name: 'quick', description: 'Answers.', run: () => 'done' });

/** So many tasks of one shard whose retention is over. */
async function due(count: number, options: WorldOptions = {}) {
  const world = new World(agent, { ...options, settings: { shards: 1 } });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await world.send('go')).taskId);
  await world.work();
  await world.clock.advance(defaults.retention + 60_000);
  world.queue.length = 0;
  const left = async () =>
    (await world.app.store.getAll(ids.map(runDoc))).filter((run) => run !== undefined).length;
  return { world, ids, left };
}

it('a wake-up takes up to fifty purges, and every row is removed', async () => {
  const { world, left } = await due(120);
  await sweep(world.app);
  expect(world.queue).toHaveLength(3);
  const handed = world.queue.flatMap(({ taskId, also = [] }) => [taskId, ...also]);
  expect(new Set(handed).size).toBe(120);
  expect(world.queue.every(({ kind }) => kind === 'purge')).toBe(true);
  for (const wakeUp of world.queue.splice(0)) {
    expect(await handleWakeUp(world.app, wakeUp)).toBe('done');
  }
  expect(await left()).toBe(0);
});

it('the next sweep hands what is left over under the same names, so a queue that is behind grows no longer', async () => {
  const { world } = await due(120);
  await sweep(world.app);
  const names = world.queue.splice(0).map((wakeUp) => taskIdOf(wakeUp, 'g1', 0));
  await sweep(world.app);
  expect(world.queue.map((wakeUp) => taskIdOf(wakeUp, 'g1', 0))).toEqual(names);
});

it('one that fails holds up none of the others, and is tried again', async () => {
  const broken = { names: new Set<string>() };
  const { world, ids, left } = await due(20, {
    wrapBlobs: (blobs) =>
      wrappedBlobs(blobs, {
        list: (prefix, limit, after) => {
          if ([...broken.names].some((id) => prefix.includes(id))) throw new Unavailable('objects');
          return blobs.list(prefix, limit, after);
        },
      }),
  });
  broken.names.add(ids[3] ?? '');
  await sweep(world.app);
  const outcomes: string[] = [];
  for (const wakeUp of world.queue) outcomes.push(await handleWakeUp(world.app, wakeUp));
  expect(outcomes.filter((outcome) => outcome === 'again')).toHaveLength(1);
  expect(await left()).toBe(1);
  broken.names.clear();
  for (const wakeUp of world.queue.splice(0)) await handleWakeUp(world.app, wakeUp);
  expect(await left()).toBe(0);
});
