import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { keysProblem } from '../../shared/app/privacy/check-keys.ts';
import { purgeWithoutKey } from '../../shared/app/privacy/purge-without-key.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { keysDoc } from '../../shared/app/records/keys-document.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { KeyMissing } from '../../shared/ports/faults.ts';
import { RotatingSealer } from '../doubles/rotating-sealer.ts';
import { World } from './world.ts';

const agent = defineAgent({
  name: 'asks',
  description: 'Asks once.',
  run: (ctx) => (ctx.history.length === 0 ? ctx.ask('Which?') : 'done'),
});

/** Tasks of each kind under a first key, which is then mislaid: waiting, finished, queued. */
async function mislaid() {
  const sealer = new RotatingSealer();
  const before = new World(agent, { sealer });
  expect(await keysProblem(before.app)).toBeUndefined();
  const waiting = (await before.send('first')).taskId;
  const finished = (await before.send('second')).taskId;
  await before.work();
  await before.send('this one', { taskId: finished });
  await before.work();
  const queued = (await before.send('third')).taskId;
  sealer.rotate();
  sealer.mislaid = true;
  return { sealer, world: new World(agent, { sealer, below: before }), waiting, finished, queued };
}

describe('rows whose key is not at hand', () => {
  it('say at start which key they want, and none once it is back', async () => {
    const { sealer, world } = await mislaid();
    const problem = await keysProblem(world.app);
    expect(problem).toContain('need a key that is not at hand: key 1 (there are: key 2)');
    sealer.mislaid = false;
    expect(await keysProblem(world.app)).toBeUndefined();
    expect((await world.app.store.get(keysDoc))?.names).toEqual(['key 2', 'key 1']);
  });

  it('are left as they are by every visitor: a worker, a sweep past every deadline, an answer, a tightening', async () => {
    const { sealer, world, waiting, finished, queued } = await mislaid();
    const rows = () =>
      world.backend.query({ collection: 'runs', filters: [], order: undefined, limit: 9 });
    const before = await rows();
    await world.work();
    await world.clock.advance(world.app.settings.runDeadline + 60_000);
    await sweep(world.app);
    await world.rest();
    await expect(world.send('that one', { taskId: waiting })).rejects.toThrow(KeyMissing);
    for (const id of [waiting, finished, queued]) {
      await expect(world.get(id)).rejects.toThrow();
      await expect(tightenCeiling(world.app, id, { answer: 'redacted' })).rejects.toThrow(
        KeyMissing,
      );
    }
    const page = await world.service.list(world.principal, { includeArtifacts: true });
    if (page.kind !== 'page') throw new Error(page.kind);
    expect(page.tasks.map(({ metadata }) => metadata)).toEqual(
      page.tasks.map(() => ({ contentUnreadable: true })),
    );
    expect((await rows()).map(({ fields }) => [fields['status'], fields['revision']])).toEqual(
      before.map(({ fields }) => [fields['status'], fields['revision']]),
    );
    sealer.mislaid = false;
    expect(await world.state(finished)).toBe('COMPLETED');
    await world.send('that one', { taskId: waiting });
    await world.work();
    expect(await world.state(waiting)).toBe('COMPLETED');
  });

  it('go when an operator says so, in use or not, and only those', async () => {
    const { sealer, world, waiting, finished, queued } = await mislaid();
    const fresh = (await world.send('fourth')).taskId;
    expect(await purgeWithoutKey(world.app, true)).toEqual({ seen: 4, withoutKey: 3 });
    expect(await keysProblem(world.app)).toBeDefined();
    expect(await purgeWithoutKey(world.app, false)).toEqual({ seen: 4, withoutKey: 3 });
    expect(await keysProblem(world.app)).toBeUndefined();
    sealer.mislaid = false;
    for (const id of [waiting, finished, queued])
      await expect(world.get(id)).rejects.toThrow('TASK_NOT_FOUND');
    await world.work();
    expect(await world.state(fresh)).toBe('INPUT_REQUIRED');
  });
});

it('rows that another version wrote are refused with what to do', async () => {
  const world = new World(agent);
  await world.send('hello');
  expect(await keysProblem(world.app)).toContain('sealed by another version');
});
