import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { latch, World } from './world.ts';
import { withCommit, wrappedBlobs } from './wrapped.ts';

const day = 24 * 60 * 60 * 1_000;

const agent = defineAgent({
  name: 'kept',
  description: 'Makes a large artifact; asks when told to.',
  async run(ctx) {
    if (ctx.text === 'ask') ctx.ask('Which?');
    await ctx.artifact({ artifactId: 'a', parts: 'x'.repeat(300_000) });
    return 'done';
  },
});

const COLLECTIONS = ['runs', 'tasks', 'receipts'];

async function left(world: World, taskId: string): Promise<string[]> {
  const inside = [`runs/${taskId}/revisions`, `runs/${taskId}/inputs`, `tasks/${taskId}/events`];
  const rows = await Promise.all(
    [...COLLECTIONS, ...inside].map((collection) =>
      world.backend.query({ collection, filters: [], order: undefined, limit: 1_000 }),
    ),
  );
  return [...rows.flat().map(({ path }) => path), ...world.blobs.objects.keys()].filter((name) =>
    name.includes(taskId),
  );
}

/** The sweeper only hands purges over: a backlog of them must not hold up lost work. */
async function sweepAndWork(world: World): Promise<void> {
  await sweep(world.app);
  await world.work();
}

async function finished(options: ConstructorParameters<typeof World>[1] = {}) {
  const world = new World(agent, { idempotency: 'always', ...options });
  const { taskId, contextId } = await world.send('go', { contextId: 'ctx', messageId: 'm1' });
  await world.work();
  return { world, taskId, contextId };
}

describe('purge (G9)', () => {
  it('leaves no row, no object, no receipt and no memory of the task; GetTask says it is not found', async () => {
    const { world, taskId } = await finished();
    expect((await left(world, taskId)).length).toBeGreaterThan(5);
    expect(await purgeRun(world.app, taskId)).toBe('purged');
    expect(await left(world, taskId)).toEqual([]);
    expect(
      await world.backend.query({
        collection: 'receipts',
        filters: [],
        order: undefined,
        limit: 9,
      }),
    ).toEqual([]);
    // Nothing names the context any more, which a client may have named after a person.
    expect(
      await world.backend.query({
        collection: 'contexts',
        filters: [],
        order: undefined,
        limit: 9,
      }),
    ).toEqual([]);
    for (const call of [
      world.service.get(world.principal, taskId),
      world.service.cancel(world.principal, taskId),
      world.trySend([{ text: 'x' }], { taskId }),
    ]) {
      expect(await world.code(call)).toBe('TASK_NOT_FOUND');
    }
    expect(await world.service.list(world.principal, { includeArtifacts: false })).toMatchObject({
      tasks: [],
      totalSize: 0,
    });
    expect(await purgeRun(world.app, taskId)).toBe('unknown');
  });

  it('destroys the key and the view in its first commit: what a crash leaves after that opens nothing', async () => {
    const { world, taskId } = await finished();
    const crashing = new World(agent, {
      below: world,
      wrapBlobs: (blobs) => wrappedBlobs(blobs, { list: () => Promise.reject(new Error('crash')) }),
    });
    await expect(purgeRun(crashing.app, taskId)).rejects.toThrow('crash');
    const rows = world.backend.everything().filter(({ path }) => path.includes(taskId));
    const run = rows.find(({ path }) => path === `runs/${taskId}`);
    expect(run?.fields).toMatchObject({ status: 'purging', wrappedKey: new Uint8Array() });
    expect(run?.fields).not.toHaveProperty('payloadKey');
    expect(
      rows.some(({ path }) => path.startsWith(`tasks/${taskId}`) && !path.includes('/events/')),
    ).toBe(false);
    expect(await purgeRun(world.app, taskId)).toBe('went-on');
    expect(await left(world, taskId)).toEqual([]);
  });

  it('never touches a run in use', async () => {
    const gate = latch();
    const world = new World(
      defineAgent({
        name: 'busy',
        description: 'Busy.',
        run: () => gate.opened.then(() => 'done'),
      }),
    );
    const { taskId } = await world.send('go');
    expect(await purgeRun(world.app, taskId)).toBe('in-use');
    await world.work();
    expect(await purgeRun(world.app, taskId)).toBe('in-use');
    gate.open();
    await world.rest();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('comes by itself when the retention is over, and not before', async () => {
    const { world, taskId } = await finished({ settings: { retention: 2 * day } });
    await world.clock.advance(2 * day - 60_000);
    await sweepAndWork(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    await world.clock.advance(120_000);
    await sweepAndWork(world);
    expect(await left(world, taskId)).toEqual([]);
  });

  it('takes a run that waited too long for a person by its own window, and frees its context', async () => {
    const world = new World(agent, {
      settings: { retention: 10 * day, waitingRetention: 3 * day },
    });
    const { taskId } = await world.send('ask', { contextId: 'ctx' });
    await world.work();
    await world.clock.advance(3 * day + 60_000);
    await sweepAndWork(world);
    // It ends with a reason first, and its context is free from then on.
    expect(await world.get(taskId)).toMatchObject({ metadata: { reason: 'WAIT_ENDED' } });
    await world.send('go', { contextId: 'ctx' });
    await world.clock.advance(day + 60_000);
    await sweepAndWork(world);
    expect(await world.code(world.service.get(world.principal, taskId))).toBe('TASK_NOT_FOUND');
  });

  it('an answer stops the clock of the waiting window', async () => {
    const world = new World(agent, {
      settings: { waitingRetention: 3 * day, retention: 10 * day },
    });
    const { taskId } = await world.send('ask');
    await world.work();
    await world.clock.advance(2 * day);
    await world.send('go', { taskId });
    await world.work();
    await world.clock.advance(2 * day);
    await sweepAndWork(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('interrupted at any commit or deletion it is taken up again, and nothing of the task can be read meanwhile', async () => {
    for (let fails = 1; fails < 12; fails += 1) {
      let calls = 0;
      let armed = false;
      const { world, taskId } = await finished({
        wrap: (backend) =>
          withCommit(backend, (checks, writes) => {
            if (armed) calls += 1;
            return armed && calls === fails
              ? Promise.reject(new Unavailable('store'))
              : backend.commit(checks, writes);
          }),
        settings: { transactionDeadline: 0 },
      });
      const remove = world.blobs.delete.bind(world.blobs);
      world.blobs.delete = (name) => {
        if (armed) calls += 1;
        return armed && calls === fails ? Promise.reject(new Unavailable('blobs')) : remove(name);
      };
      armed = true;
      await purgeRun(world.app, taskId).catch(() => undefined);
      armed = false;
      const half = await world.code(world.service.get(world.principal, taskId));
      expect(fails === 1 ? [undefined, 'TASK_NOT_FOUND'] : ['TASK_NOT_FOUND']).toContain(half);
      await world.clock.advance(60_000);
      await sweepAndWork(world);
      if (half !== undefined) expect(await left(world, taskId)).toEqual([]);
    }
  });

  it('receipts go when their 24 hours are over, without their task', async () => {
    const { world, taskId } = await finished();
    await world.clock.advance(day + 60_000);
    await sweepAndWork(world);
    expect(
      await world.backend.query({
        collection: 'receipts',
        filters: [],
        order: undefined,
        limit: 9,
      }),
    ).toEqual([]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});
