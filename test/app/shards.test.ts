import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { listRuns } from '../../shared/app/operators/list-runs.ts';
import { operatorStatus } from '../../shared/app/operators/operator-status.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { World } from './world.ts';

const agent = defineAgent({
  name: 'asking',
  description: 'Asks once.',
  run(ctx) {
    if (ctx.text === 'ask') ctx.ask('Which?');
    return 'done';
  },
});

const before = { shards: 8, listShards: 1 };
const more = { shards: 64, listShards: 5 };
const fewer = { shards: 2, listShards: 1 };
const everything = async () => new Set(['view'] as const);

/** Processes of one installation, whose clocks go together. */
function installation() {
  const first = new World(agent, { settings: before });
  const worlds = [first];
  const begin = async (settings: Partial<typeof defaults>): Promise<World> => {
    const world = new World(agent, { settings, below: first, seed: worlds.length + 10 });
    await world.clock.advance(first.clock.now() - world.clock.now());
    worlds.push(world);
    return world;
  };
  const advance = async (span: number): Promise<void> => {
    for (const world of worlds) await world.clock.advance(span);
  };
  return { first, begin, advance };
}

async function sent(world: World, count: number, text = 'go'): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await world.send(text)).taskId);
  await world.work();
  return ids;
}

async function walked(world: World, pageSize = 7): Promise<string[]> {
  const seen: string[] = [];
  for (let pageToken = ''; ; ) {
    const filter = { includeArtifacts: false, pageSize, ...(pageToken && { pageToken }) };
    const page = await world.service.list(world.principal, filter);
    if (isRefused(page)) throw new Error(page.message);
    seen.push(...page.tasks.map(({ taskId }) => taskId));
    if (page.nextPageToken === '') return seen;
    pageToken = page.nextPageToken;
  }
}

async function operated(world: World): Promise<string[]> {
  const page = await listRuns(world.app, everything, { limit: 1_000 });
  if (page.kind === 'refused') throw new Error(page.message);
  return page.runs.map(({ run }) => run.taskId);
}

async function placesOf(world: World, ids: readonly string[]) {
  const rows = await world.app.store.getAll(ids.map(runDoc));
  return {
    shards: new Set(rows.map((run) => run?.shard)),
    lists: new Set(rows.map((run) => run?.listShard)),
  };
}

const sorted = (ids: readonly string[]) => ids.toSorted();

describe('more shards, while the installation runs', () => {
  async function raised() {
    const { first, begin, advance } = installation();
    const old = await sent(first, 40);
    const next = await begin(more);
    return { first, next, advance, old };
  }

  it('are written to only when every process has had the time to know of them', async () => {
    const { next, advance } = await raised();
    const early = await placesOf(next, await sent(next, 40));
    expect([Math.max(...[...early.shards].map(Number)), early.lists]).toEqual([7, new Set([0])]);
    await advance(61_000);
    const late = await placesOf(next, await sent(next, 200));
    expect(Math.max(...[...late.shards].map(Number))).toBeGreaterThan(40);
    expect(late.lists.size).toBe(5);
  });

  it('hide no row from a process that was started before, nor from one that was started after', async () => {
    const { first, next, advance, old } = await raised();
    await walked(first);
    await sent(next, 1);
    await advance(61_000);
    const added = await sent(next, 60);
    const all = sorted([...new Set([...old, ...added, ...(await walked(first))])]);
    expect(all).toHaveLength(101);
    for (const world of [first, next]) {
      expect(sorted(await walked(world))).toEqual(all);
      expect(sorted(await operated(world))).toEqual(all);
    }
    for (const id of added) expect(await first.state(id)).toBe('COMPLETED');
  });

  it('are all swept by a process that was started before', async () => {
    const { first, next, advance } = await raised();
    await sent(next, 1);
    await advance(61_000);
    for (let n = 0; n < 60; n += 1) await next.send('go');
    // Their wake-ups are lost.
    next.queue.length = 0;
    await advance(60_000);
    await sweep(first.app);
    expect(first.queue.filter(({ kind }) => kind === 'run')).toHaveLength(60);
    expect(await operatorStatus(first.app, everything)).toMatchObject({ queued: 60 });
  });
});

it('fewer shards: what lies in the others is listed, swept and purged as before', async () => {
  const { first, begin, advance } = installation();
  const wide = await begin(more);
  await sent(wide, 1);
  await advance(61_000);
  const waiting = await sent(wide, 30, 'ask');
  const narrow = await begin(fewer);
  const added = await sent(narrow, 30);
  expect((await placesOf(narrow, added)).shards).toEqual(new Set([0, 1]));
  expect(await walked(narrow)).toHaveLength(61);
  expect(await operatorStatus(narrow.app, everything)).toMatchObject({ waiting: { input: 30 } });
  // What waits ends first, and goes a day later.
  for (const span of [defaults.retention + 60_000, 86_400_000 + 60_000]) {
    await advance(span);
    await sweep(narrow.app);
    await narrow.work();
  }
  const rows = await narrow.app.store.getAll([...waiting, ...added].map(runDoc));
  expect(rows.flatMap((run) => run?.status ?? [])).toEqual([]);
  expect(await walked(first)).toEqual([]);
});

it('a list over several ranges is walked in one order, and what moves meanwhile is seen', async () => {
  const { begin, advance } = installation();
  const world = await begin(more);
  await sent(world, 1);
  await advance(61_000);
  const ids: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    ids.push(...(await sent(world, 1, 'ask')));
    await advance(10);
  }
  expect((await walked(world, 4)).slice(0, 30)).toEqual(ids.toReversed());
  const [oldest = ''] = ids;
  const first = await world.service.list(world.principal, {
    includeArtifacts: false,
    pageSize: 10,
  });
  if (isRefused(first)) throw new Error(first.message);
  await advance(10);
  await world.send('go', { taskId: oldest });
  await world.work();
  const { nextPageToken: pageToken } = first;
  const filter = { includeArtifacts: false, pageSize: 30, pageToken };
  const second = await world.service.list(world.principal, filter);
  if (isRefused(second)) throw new Error(second.message);
  expect(second.tasks.map(({ taskId }) => taskId)).toContain(oldest);
  expect([first.totalSize, second.totalSize]).toEqual([31, 31]);
});
