import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KmsEmulator, startKmsEmulator } from '../../emulators/kms/start.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import { keysProblem } from '../../shared/app/privacy/check-keys.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { createKmsSealer } from '../../shared/gcp/kms/sealer.ts';
import { World } from './world.ts';

const ring = 'projects/p/locations/l/keyRings/r/cryptoKeys';
let emulator: KmsEmulator;
let count = 0;
beforeAll(async () => {
  emulator = await startKmsEmulator();
});
afterAll(() => emulator.close());

const agent = defineAgent({ name: 'quick', description: 'Quick.', run: () => 'done' });

/**
 * One task that has ended and one that is queued, their keys wrapped by a version that is not the
 * newest any more.
 */
async function rotated() {
  count += 1;
  const keyName = `${ring}/key-${count}`;
  const key = emulator.key(keyName);
  const sealer = createKmsSealer({ keyName, endpoint: emulator.url, deadline: 2_000 });
  const before = new World(agent, { sealer });
  expect(await keysProblem(before.app)).toBeUndefined();
  const finished = (await before.send('first')).taskId;
  await delivered(before);
  const queued = (await before.send('second')).taskId;
  key.rotate();
  const world = new World(agent, { sealer, below: before });
  world.queue.push(...before.queue);
  return { key, world, finished, queued };
}

/** Calls leave this process, so what is delivered takes real time. */
async function delivered(world: World): Promise<void> {
  await world.work();
  await expect.poll(() => world.queue.length).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
}

const statusOf = async (world: World, id: string) =>
  (await world.app.store.get(runDoc(id)))?.status;

it.each(['DISABLED', 'DESTROY_SCHEDULED'] as const)(
  'a KMS version that is %s ends and removes nothing; used again, every task is as it was',
  async (state) => {
    const { finished, key, queued, world } = await rotated();
    key.setState(1, state);
    await delivered(world);
    await world.clock.advance(world.app.settings.sweepGrace + 120_000);
    await sweep(world.app);
    await delivered(world);
    expect(await statusOf(world, queued)).toBe('queued');
    await expect(world.get(finished)).rejects.toThrow('Cloud KMS refused');
    await expect(tightenCeiling(world.app, finished, { answer: 'redacted' })).rejects.toThrow(
      'Cloud KMS refused',
    );
    key.setState(1, 'ENABLED');
    await world.clock.advance(700_000);
    await sweep(world.app);
    await world.work();
    await expect.poll(() => statusOf(world, queued)).toBe('completed');
    expect(await world.state(finished)).toBe('COMPLETED');
  },
);

it('a version that is destroyed is final: what is open ends FAILED with the reason', async () => {
  const { key, queued, world } = await rotated();
  key.setState(1, 'DESTROYED');
  await world.work();
  await expect.poll(() => statusOf(world, queued)).toBe('failed');
  expect((await world.get(queued)).metadata).toMatchObject({ reason: 'STATE_UNREADABLE' });
});

it('a configuration with another KMS key does not start, and says which key the rows want', async () => {
  const { world } = await rotated();
  emulator.key(`${ring}/other`);
  const sealer = createKmsSealer({ keyName: `${ring}/other`, endpoint: emulator.url });
  const problem = await keysProblem({ store: world.app.store, sealer });
  expect(problem).toContain(`${ring}/key-${count}`);
  expect(problem).toContain(`there are: ${ring}/other`);
});
