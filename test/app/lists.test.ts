import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { TaskFilter, TaskPage } from '../../shared/app/service.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { World } from './world.ts';
import { wrapped } from './wrapped.ts';

const agent = defineAgent({
  name: 'listed',
  description: 'Asks when it is told to.',
  async run(ctx) {
    if (ctx.text === 'ask' && ctx.history.length === 0) ctx.ask('Which?');
    await ctx.artifact({ artifactId: 'a', parts: 'artifact' });
    return 'done';
  },
});

async function page(
  world: World,
  filter: Partial<TaskFilter> = {},
  principal?: Principal,
): Promise<TaskPage> {
  const answer = await world.service.list(principal ?? world.principal, {
    includeArtifacts: false,
    ...filter,
  });
  if (isRefused(answer)) throw new Error(answer.message);
  return answer;
}

async function walk(
  world: World,
  filter: Partial<TaskFilter>,
  between: (page: number) => Promise<unknown> = () => Promise.resolve(),
) {
  const seen: string[] = [];
  let pageToken = '';
  for (let number = 1; number < 50; number += 1) {
    const { tasks, nextPageToken } = await page(world, {
      ...filter,
      ...(pageToken && { pageToken }),
    });
    seen.push(...tasks.map(({ taskId }) => taskId));
    if (nextPageToken === '') return seen;
    pageToken = nextPageToken;
    await between(number);
  }
  throw new Error('the walk does not end');
}

async function sent(world: World, texts: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push((await world.send(text)).taskId);
  await world.work();
  return ids;
}

describe('ListTasks', () => {
  it('seven tasks of one moment are walked two by two, each exactly once', async () => {
    const world = new World(agent);
    const ids = await sent(
      world,
      Array.from({ length: 7 }, () => 'go'),
    );
    const seen = await walk(world, { pageSize: 2 });
    expect([...seen].sort()).toEqual([...ids].sort());
    expect((await page(world, { pageSize: 2 })).totalSize).toBe(7);
  });

  it('a task that is touched between two pages is still seen, and an untouched one never twice', async () => {
    const world = new World(agent);
    const ids = await sent(world, ['ask', ...Array.from({ length: 6 }, () => 'go')]);
    const [touched = ''] = ids;
    // Make it the oldest, so that it lies on the last page.
    await world.clock.advance(10);
    for (const id of ids.slice(1)) await world.service.cancel(world.principal, id);
    const seen = await walk(world, { pageSize: 2 }, async (number) => {
      if (number !== 1) return;
      await world.clock.advance(10);
      await world.send('answer', { taskId: touched });
      await world.work();
    });
    expect(new Set(seen)).toEqual(new Set(ids));
    for (const id of ids)
      if (id !== touched) expect(seen.filter((each) => each === id)).toHaveLength(1);
  });

  it('tasks that are created during a walk are no part of it', async () => {
    const world = new World(agent);
    const ids = await sent(world, ['go', 'go', 'go', 'go', 'go']);
    const seen = await walk(world, { pageSize: 2 }, async () => {
      await world.clock.advance(10);
      await sent(world, ['new', 'new']);
    });
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  it('the newest status comes first, and the filters hold for rows and for the count', async () => {
    const world = new World(agent);
    const ids = await sent(world, ['ask', 'go', 'go']);
    const [asking = ''] = ids;
    await world.clock.advance(1_000);
    const { contextId } = await world.send('answer', { taskId: asking });
    await world.work();
    const all = await page(world);
    expect(all.tasks[0]?.taskId).toBe(asking);
    expect(await page(world, { contextId })).toMatchObject({
      totalSize: 1,
      tasks: [{ taskId: asking }],
      nextPageToken: '',
    });
    expect((await page(world, { state: 'COMPLETED' })).totalSize).toBe(3);
    expect((await page(world, { state: 'FAILED' })).tasks).toEqual([]);
    const newest = all.tasks[0]?.status.at ?? 0;
    expect((await page(world, { statusAfter: newest })).totalSize).toBe(1);
    expect((await page(world, { statusAfter: newest + 1 })).totalSize).toBe(0);
  });

  it('artifacts come only when asked for, and history as long as asked for', async () => {
    const world = new World(agent);
    await sent(world, ['go']);
    expect((await page(world)).tasks[0]?.artifacts).toEqual([]);
    expect(
      (await page(world, { includeArtifacts: true, historyLength: 1 })).tasks[0],
    ).toMatchObject({
      artifacts: [{ artifactId: 'a' }],
      history: [{ role: 'agent' }],
    });
  });

  it.each([
    ['pageSize', { pageSize: 0 }],
    ['pageSize', { pageSize: 101 }],
    ['pageToken', { pageToken: 'junk' }],
    ['pageToken', { pageToken: Buffer.from('{"phase":"newest"}').toString('base64url') }],
  ])('a wrong %s is refused by name', async (field, filter) => {
    const world = new World(agent);
    expect(
      await world.service.list(world.principal, { includeArtifacts: false, ...filter }),
    ).toMatchObject({ code: 'INVALID_PARAMS', field });
  });

  it('a token continues its own walk only', async () => {
    const world = new World(agent);
    await sent(world, ['go', 'go', 'go']);
    const { nextPageToken } = await page(world, { pageSize: 1 });
    const other = {
      pageSize: 1,
      pageToken: nextPageToken,
      state: 'COMPLETED',
      includeArtifacts: false,
    } as const;
    expect(await world.service.list(world.principal, other)).toMatchObject({ field: 'pageToken' });
  });

  it('a caller sees no task of another (G23)', async () => {
    const world = new World(agent);
    await sent(world, ['go']);
    for (const other of [{ owner: 'eve' }, { tenant: 'acme' }]) {
      expect(await page(world, {}, { ...world.principal, ...other })).toMatchObject({
        tasks: [],
        totalSize: 0,
      });
    }
  });

  it('a page holds no more bytes than the setting says, and the walk still sees each task once', async () => {
    // An artifact has eight characters, and so have message and answer together.
    const world = new World(agent, { settings: { pageBytes: 40 } });
    const ids = await sent(
      world,
      Array.from({ length: 12 }, () => 'go'),
    );
    const filter = { includeArtifacts: true, historyLength: 0 };
    const first = await page(world, filter);
    expect(first.tasks.length).toBeLessThan(5);
    expect(first).toMatchObject({ pageSize: 50, totalSize: 12 });
    expect((await walk(world, filter)).toSorted()).toEqual(ids.toSorted());
  });

  it('a task that alone is larger than a page has a page of its own', async () => {
    const world = new World(agent, { settings: { pageBytes: 1 } });
    await sent(world, ['go', 'go']);
    const first = await page(world, { includeArtifacts: true });
    expect([first.tasks.length, first.nextPageToken === '']).toEqual([1, false]);
  });

  describe('the total', () => {
    /** What the backend is asked to count, and how far. */
    async function counting(count: 'answers' | 'has no answer') {
      const counted: { readonly limit: number; readonly found: number }[] = [];
      const answering = { count };
      const world = new World(agent, {
        settings: { totalSizeMax: 5 },
        wrap: (backend) =>
          wrapped(backend, {
            async count(query) {
              if (answering.count !== 'answers') throw new Unavailable('the count');
              const found = await backend.count(query);
              counted.push({ limit: query.limit, found });
              return found;
            },
          }),
      });
      await sent(
        world,
        Array.from({ length: 7 }, () => 'go'),
      );
      return { world, counted, answering };
    }

    it('is counted once a walk, and no further than the setting says', async () => {
      const { world, counted } = await counting('answers');
      expect(await walk(world, { pageSize: 2 })).toHaveLength(7);
      expect(counted).toEqual([{ limit: 5, found: 5 }]);
      const state = 'COMPLETED';
      expect(await page(world, { state, pageSize: 2 })).toMatchObject({ totalSize: 5 });
      expect(await page(world, { state: 'WORKING' })).toMatchObject({ totalSize: 0 });
    });

    it('stays what it was when the walk began', async () => {
      const { world } = await counting('answers');
      const first = await page(world, { pageSize: 2 });
      await sent(world, ['go']);
      const second = await page(world, { pageSize: 2, pageToken: first.nextPageToken });
      expect([first.totalSize, second.totalSize]).toEqual([5, 5]);
    });

    it('that has no answer does not cost the page: it says how many are known', async () => {
      const { world, counted, answering } = await counting('has no answer');
      const first = await page(world, { pageSize: 2 });
      expect(first).toMatchObject({ tasks: { length: 2 }, totalSize: 3 });
      answering.count = 'answers';
      const second = await page(world, { pageSize: 2, pageToken: first.nextPageToken });
      expect([second.totalSize, counted.length]).toEqual([5, 1]);
    });
  });
});
