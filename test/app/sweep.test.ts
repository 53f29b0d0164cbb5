import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { bucketDoc } from '../../shared/app/limits/owner-bucket.ts';
import { sweep, sweepRun } from '../../shared/app/worker/sweep.ts';
import type { Run } from '../../shared/domain/run.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable, Unreadable } from '../../shared/ports/faults.ts';
import type { Sealer } from '../../shared/ports/sealer.ts';
import { latch, World } from './world.ts';

const description = 'An agent of these tests.';

async function row(world: World, taskId: string): Promise<Run> {
  const run = await world.app.store.get(runDoc(taskId));
  if (run === undefined) throw new Error('no such run');
  return run;
}

describe('the sweeper acts on rows as they are, not as it read them (G24)', () => {
  it('a run that was late when it was read, and is not any more, keeps its segment', async () => {
    const work = latch();
    const run = async (): Promise<string> => {
      await work.opened;
      return 'done';
    };
    const world = new World(defineAgent({ name: 'agent', description, run }));
    const { taskId } = await world.send('hello');
    await world.work();
    await sweepRun(world.app, { ...(await row(world, taskId)), deadlineAt: 0 });
    work.open();
    await world.rest();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('a worker lost for the first time does not use up the attempts, however slow the sweeper is', async () => {
    let slow: (() => Promise<void>) | undefined;
    const late = (backend: Backend): Backend => ({
      read: async (paths) => {
        const rows = await backend.read(paths);
        const pause = slow;
        slow = undefined;
        await pause?.();
        return rows;
      },
      commit: (checks, writes) => backend.commit(checks, writes),
      query: (query, after) => backend.query(query, after),
      count: (query) => backend.count(query),
      follow: (query, after, signal) => backend.follow(query, after, signal),
      watch: (path, signal) => backend.watch(path, signal),
      close: () => backend.close(),
    });
    const run = (): Promise<void> => new Promise(() => undefined);
    const world = new World(defineAgent({ name: 'agent', description, run }), { wrap: late });
    const { taskId } = await world.send('hello');
    await world.work();
    const held = await row(world, taskId);
    if (held.status !== 'running') throw new Error(held.status);
    // It was lapsed when the sweeper read it, holds when the sweeper looks again, and lapses before
    // the sweeper is done.
    const stale: Run = { ...held, claim: { ...held.claim, until: 0 } };
    world.app.segments.stop(taskId, 'lost');
    slow = async () => {
      slow = () => world.clock.advance(world.app.settings.lease + 1);
    };
    await sweepRun(world.app, stale);
    expect((await row(world, taskId)).status).not.toBe('failed');
  });

  it('a row that cannot be read keeps no other row waiting', async () => {
    const world = new World(defineAgent({ name: 'agent', description, run: () => 'done' }));
    const tasks = [];
    for (let n = 0; n < 12; n += 1) tasks.push((await world.send('hello')).taskId);
    world.queue.length = 0;
    // One row of each shard is of another version, and due before all others.
    for (let shard = 0; shard < 8; shard += 1) {
      const fields = { v: 2, shard, dueAt: 1 };
      const path = `runs/0000000${shard}-0000-4000-8000-000000000000`;
      await world.backend.commit([], [{ path, fields, expect: 'absent' }]);
    }
    await world.clock.advance(60_000);
    await sweep(world.app);
    await world.work();
    for (const taskId of tasks) expect(await world.state(taskId)).toBe('COMPLETED');
    expect(world.logged.some(({ event }) => event === 'row not readable')).toBe(true);
  });

  it('a run that can neither be read nor be failed keeps no other row waiting', async () => {
    const agent = defineAgent({ name: 'agent', description, run: () => 'done' });
    const before = new World(agent);
    await before.send('hello');
    const sealer: Sealer = {
      keyNames: () => Promise.resolve([]),
      newKey: () => Promise.reject(new Unavailable('keys')),
      unwrap: () => Promise.reject(new Unreadable('key')),
      rewrap: () => Promise.reject(new Unavailable('keys')),
    };
    const world = new World(agent, { sealer, below: before });
    await world.clock.advance(world.app.settings.runDeadline + 60_000);
    await sweep(world.app);
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        event: 'row not swept',
        fields: expect.objectContaining({ fault: 'Unavailable' }) as unknown,
      }),
    );
  });

  it('rows are handed over four of a shard at once, and no more', async () => {
    const world = new World(defineAgent({ name: 'agent', description, run: () => 'done' }));
    for (let n = 0; n < 200; n += 1) await world.send('hello');
    await world.clock.advance(60_000);
    let most = 0;
    const open: (() => void)[] = [];
    const enqueue = (): Promise<void> =>
      new Promise((resolve) => {
        open.push(resolve);
        most = Math.max(most, open.length);
      });
    let swept = false;
    const sweeping = sweep({ ...world.app, queue: { enqueue } }).then(() => (swept = true));
    while (!swept) {
      await world.rest();
      for (const release of open.splice(0)) release();
    }
    await sweeping;
    expect(most).toBe(4 * world.app.settings.shards);
  });
});

describe('the sweeper and the buckets of owners', () => {
  const idle = async () => {
    const world = new World(defineAgent({ name: 'agent', description, run: () => 'done' }));
    const bucket = bucketDoc('ada');
    const at = world.clock.now();
    await world.app.store.transact(async (tx) => tx.set(bucket, { v: 1, tokens: 0, at }));
    await world.clock.advance(86_400_000);
    const sweeps = async (steady: boolean) => {
      for (let n = 0; n < 200; n += 1) {
        await sweep({ ...world.app, steadyTime: () => Promise.resolve(steady) });
        await world.clock.advance(1_000);
      }
      return world.app.store.get(bucket);
    };
    return { sweeps };
  };

  it('it removes one that was full for a day', async () => {
    const { sweeps } = await idle();
    expect(await sweeps(true)).toBeUndefined();
  });

  it('it removes none by a clock that may have leapt', async () => {
    const { sweeps } = await idle();
    expect(await sweeps(false)).toBeDefined();
  });
});
