import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { App } from '../../shared/app/app.ts';
import { failIfUnreadable } from '../../shared/app/change/fail-if-unreadable.ts';
import { unlessMoved } from '../../shared/app/change/unless-moved.ts';
import type { KeyRing } from '../../shared/app/key-ring.ts';
import { revision } from '../../shared/domain/ids.ts';
import type { Run } from '../../shared/domain/run.ts';
import { Unavailable, Unreadable } from '../../shared/ports/faults.ts';
import { row } from './waiting.ts';
import { World } from './world.ts';

const asker = defineAgent({
  name: 'asker',
  description: 'Asks once.',
  run(ctx) {
    if (ctx.text === 'ask') ctx.ask('What?');
    return 'done';
  },
});

async function asked() {
  const world = new World(asker);
  const { taskId } = await world.send('ask');
  await world.work();
  return { world, taskId, run: await row(world, taskId) };
}

describe('what belongs to a run and can not be read', () => {
  const unreadable = () => Promise.reject(new Unreadable('its question'));

  it('is a fault where the run stands as it was', async () => {
    const { run, world } = await asked();
    await expect(unlessMoved(world.app, run, unreadable)).rejects.toThrow(Unreadable);
    expect(await unlessMoved(world.app, run, () => Promise.resolve('there'))).toBe('there');
  });

  it('is none where the run has moved on, was asked again, was scrubbed, or is gone', async () => {
    const { run, taskId, world } = await asked();
    const read = (as: Partial<typeof run>) =>
      unlessMoved(world.app, { ...run, ...as } as typeof run, unreadable);
    expect(await read({ pauseGeneration: run.pauseGeneration - 1 })).toBeUndefined();
    expect(await read({ scrubbedRevision: revision(run.scrubbedRevision + 1) })).toBeUndefined();
    await world.send('go on', { taskId });
    expect(await read({})).toBeUndefined();
    await world.backend.commit([], [{ path: `runs/${taskId}`, fields: undefined, expect: 'any' }]);
    expect(await read({})).toBeUndefined();
  });

  it('is told as it is if the store is away: nothing is known of the run then', async () => {
    const { run, world } = await asked();
    const away = () => Promise.reject(new Unavailable('the store'));
    await expect(unlessMoved(world.app, run, away)).rejects.toThrow(Unavailable);
  });
});

describe('a run whose key can not be opened', () => {
  /** The app, to which opening that key is a fault. */
  const keysThat = ({ app }: World, run: Run, fault: Error): App => {
    const unwrap: KeyRing['unwrap'] = (taskId, wrapped) =>
      Buffer.compare(wrapped, run.wrappedKey) === 0
        ? Promise.reject(fault)
        : app.keys.unwrap(taskId, wrapped);
    return { ...app, keys: { ...app.keys, unwrap } };
  };

  it('goes on waiting while the key is only not at hand (G24)', async () => {
    const { run, taskId, world } = await asked();
    const away = keysThat(world, run, new Unavailable('the keys'));
    await expect(failIfUnreadable(away, run)).rejects.toThrow(Unavailable);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    expect(await failIfUnreadable(world.app, run)).toBe(run);
  });

  it('ends FAILED once it is gone for good', async () => {
    const { run, taskId, world } = await asked();
    const gone = keysThat(world, run, new Unreadable('the key'));
    expect(await failIfUnreadable(gone, run)).toMatchObject({
      status: 'failed',
      reason: 'STATE_UNREADABLE',
    });
    expect(await world.state(taskId)).toBe('FAILED');
  });
});
