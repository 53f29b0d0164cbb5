import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { Fields } from '../../shared/ports/backend.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { World } from '../app/world.ts';
import { type Api, Team } from './api.ts';
import { apiOver, approvalWorld, overwrite, unknownWorld } from './worlds.ts';

const echo = defineAgent({
  name: 'echo',
  description: 'Says it again.',
  run: ({ message }) =>
    message.parts.some((part) => 'text' in part && part.text === 'ask') ? undefined : 'said',
});

/** A world with that many runs, each a second younger than the one before. */
async function many(count: number) {
  const team = new Team();
  const world = new World(echo, { grants: team });
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    ids.unshift((await world.send('hello')).taskId);
    await world.work();
    await world.clock.advance(1_000);
  }
  return { world, team, ids, api: await apiOver(world) };
}

async function walk(api: Api, query: string, as = 'all'): Promise<readonly string[][]> {
  const pages: string[][] = [];
  for (let cursor = ''; ; ) {
    const { body, status } = await api.get(`/runs?${query}${cursor && `&cursor=${cursor}`}`, as);
    if (status !== 200) throw new Error(JSON.stringify(body));
    pages.push(body.runs.map(({ id }: { id: string }) => id));
    if (body.cursor === undefined) return pages;
    cursor = body.cursor;
  }
}

/** Rows beyond what one page looks at. */
async function fill(world: World, more: (at: number) => Fields): Promise<void> {
  const { taskId } = await world.send('hello');
  await world.work();
  const { fields } = world.backend.peek(`runs/${taskId}`) ?? { fields: {} };
  const rows = Array.from({ length: 1_500 }, (_, at) => {
    const id = `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const own = { taskId: id, statusAt: 1_000 + at, shard: at % 8, ...more(at) };
    return { path: `runs/${id}`, fields: { ...fields, ...own }, expect: 'any' as const };
  });
  for (let from = 0; from < rows.length; from += 300)
    await world.backend.commit([], rows.slice(from, from + 300));
}

describe('the list of runs', () => {
  it('is newest first over all shards, page by page, each run once', async () => {
    const { api, ids } = await many(60);
    for (const limit of [1, 7, 50, 60, 100]) {
      const pages = await walk(api, `limit=${limit}`);
      expect(pages.flat(), `limit ${limit}`).toEqual(ids);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
  });

  it('keeps runs of one moment apart', async () => {
    const team = new Team();
    const world = new World(echo, { grants: team });
    const ids = new Set<string>();
    for (let at = 0; at < 40; at += 1) ids.add((await world.send('hello')).taskId);
    const pages = await walk(await apiOver(world), 'limit=3');
    expect(pages.flat()).toHaveLength(40);
    expect(new Set(pages.flat())).toEqual(ids);
  });

  it('filters by status, agent, context and time, together', async () => {
    const { api, ids, world } = await many(6);
    const waiting = await world.send('hello', { contextId: 'a-context' });
    expect(await walk(api, 'status=queued')).toEqual([[waiting.taskId]]);
    expect(await walk(api, 'status=open')).toEqual([[waiting.taskId]]);
    expect((await walk(api, 'status=ended')).flat()).toEqual(ids);
    expect((await walk(api, 'status=completed&limit=2')).flat()).toEqual(ids);
    expect(await walk(api, 'context=a-context')).toEqual([[waiting.taskId]]);
    expect(await walk(api, 'context=a-context&status=completed')).toEqual([[]]);
    expect((await walk(api, 'agent=echo')).flat()).toHaveLength(7);
    const since = new Date(world.clock.now() - 2_000).toISOString();
    expect((await walk(api, `since=${since}`)).flat()).toEqual([waiting.taskId, ids[0], ids[1]]);
    expect((await walk(api, `since=${since}&status=completed`)).flat()).toEqual([ids[0], ids[1]]);
  });

  it('shows runs of agents on which the operator has any right, and no others', async () => {
    const { api, ids, team, world } = await many(3);
    const [hidden = ''] = ids;
    await overwrite(world, hidden, { agent: 'another' });
    team.members.set('echoes', { may: ['cancel'], agent: 'echo' });
    team.members.set('others', { may: RIGHTS, agent: 'another' });
    expect((await walk(api, '', 'echoes')).flat()).toEqual(ids.slice(1));
    expect((await walk(api, '', 'others')).flat()).toEqual([hidden]);
  });

  it('goes on behind what it looked at, when few rows of many are wanted', async () => {
    const { api, world } = await many(0);
    const spent = { rounds: 1, tokens: 9, cost: 5, delegations: 0, bytes: 0 };
    await fill(world, (at) => ({ status: 'completed', ...(at === 0 && { spent }) }));
    const pages = await walk(api, 'minCost=5');
    expect(pages).toEqual([[], ['00000000-0000-4000-8000-000000000000']]);
    const { body } = await api.get('/runs?minCost=5');
    expect(body).toMatchObject({ runs: [], stoppedAfter: 1_000 });
  });

  it('says nothing of an agent that is not for this operator, not even that there is much of it', async () => {
    const { api, team, world } = await many(0);
    await fill(world, () => ({ agent: 'another', status: 'completed' }));
    team.members.set('echoes', { may: RIGHTS, agent: 'echo' });
    for (const name of ['another', 'nosuch', 'no name']) {
      const found = await api.get(`/runs?agent=${encodeURIComponent(name)}`, 'echoes');
      expect(found).toMatchObject({ status: 400, body: { error: { field: 'agent' } } });
      expect(found.body.error.message).toBe(
        `agent: "${name}" is not known, and no run has it; it is one of echo`,
      );
    }
  });

  it('lists the runs of an agent that is not published any more', async () => {
    const { api, world } = await many(0);
    await fill(world, () => ({ agent: 'of-old', status: 'completed' }));
    expect((await walk(api, 'agent=of-old')).flat().length).toBeGreaterThan(0);
  });

  it('refuses a status that is unknown, and names those that are known', async () => {
    const { api } = await many(1);
    const { body, status } = await api.get('/runs?status=faild');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'INVALID_PARAMS', field: 'status' });
    expect(body.error.message).toMatch(/^status: "faild" is not known.* failed, .*open, ended$/);
    // One that is known and that no run has is an empty list.
    expect((await api.get('/runs?status=failed')).body).toEqual({ runs: [] });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['since=yesterday', 'since'],
    ['cursor=nonsense', 'cursor'],
    ['waitingFor=godot', 'waitingFor'],
    ['statsu=queued', 'statsu'],
  ])('refuses %s by its name', async (query, field) => {
    const { api } = await many(1);
    const { body, status } = await api.get(`/runs?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'INVALID_PARAMS', field });
  });

  it('takes a cursor for the filters that it was given for, and no others', async () => {
    const { api } = await many(3);
    const { cursor } = (await api.get('/runs?limit=1')).body;
    expect((await api.get(`/runs?limit=1&status=ended&cursor=${cursor}`)).status).toBe(400);
  });

  it('leaves a row out that can not be read, and shows the others', async () => {
    const { api, ids, world } = await many(3);
    const [broken = ''] = ids;
    await overwrite(world, broken, { revision: 'seven' });
    expect((await walk(api, '')).flat()).toEqual(ids.slice(1));
    expect(world.logged.map(({ event }) => event)).toContain('row not readable');
  });
});

describe('a run of a status that does not exist yet', () => {
  it('is listed as it is, as open, and no operator can change it', async () => {
    const { api, taskId, world } = await approvalWorld();
    await overwrite(world, taskId, { status: 'waiting_for_the_moon' });
    const before = world.backend.peek(`runs/${taskId}`);
    const moon = { id: taskId, status: 'waiting_for_the_moon', state: 'WORKING', open: true };
    for (const query of ['', 'status=open', 'status=waiting_for_the_moon', 'agent=modelled'])
      expect((await api.get(`/runs?${query}`)).body.runs, query).toMatchObject([moon]);
    expect((await api.get('/runs?status=ended')).body.runs).toEqual([]);
    expect((await api.get(`/runs/${taskId}`)).body).toMatchObject(moon);
    expect((await api.get('/inbox')).body).toEqual({
      decisions: [],
      sends: [],
      blocked: [],
      more: false,
    });
    const decision = { kind: 'approve', pauseGeneration: 1, digest: 'x' };
    for (const [path, body] of [
      [`/runs/${taskId}/cancel`, {}],
      [`/runs/${taskId}/continue`, { digest: 'x' }],
      [`/runs/${taskId}/decisions`, decision],
      [`/runs/${taskId}/decisions`, { ...decision, mode: 'direct' }],
    ] as const) {
      const answer = await api.post(path, body);
      expect(answer, path).toMatchObject({
        status: 409,
        body: { error: { code: 'STATUS_UNKNOWN' } },
      });
    }
    expect(world.backend.peek(`runs/${taskId}`)).toEqual(before);
  });
});

describe('the inbox', () => {
  it('shows what waits longest first, and nothing that waits for a remote agent', async () => {
    const { api, taskId, world } = await approvalWorld();
    await world.clock.advance(1_000);
    const older = taskId;
    await world.send('go');
    await world.work();
    const { body } = await api.get('/inbox');
    expect(body.decisions).toHaveLength(2);
    expect(body.decisions[0]).toMatchObject({ id: older });
    expect((await api.get('/inbox?limit=1')).body).toMatchObject({
      decisions: [{ id: older }],
      more: true,
    });
    const waiting = await unknownWorld();
    expect((await waiting.api.get('/inbox')).body.decisions).toEqual([]);
  });
});
