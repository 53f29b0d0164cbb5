import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { Fields } from '../../shared/ports/backend.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { World } from '../app/world.ts';
import { type Api, Team } from './api.ts';
import { apiOver, overwrite } from './worlds.ts';

const echo = defineAgent({ name: 'echo', description: 'Says it again.', run: () => 'said' });

const used = (cost: number): Fields => ({
  spent: { rounds: 1, tokens: 10, cost, delegations: 0, bytes: 0 },
  ...(cost > 0 && { cost }),
});

/** Runs `a` to `f`, accepted a second apart; the later one was accepted, the earlier it changed. */
async function six() {
  const team = new Team();
  const world = new World(echo, { grants: team });
  const ids: Record<string, string> = {};
  const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
  const more: Readonly<Record<(typeof names)[number], Fields>> = {
    a: { status: 'queued', notBefore: 1, ...used(0) },
    b: { status: 'failed', reason: 'AGENT_FAILED', ...used(500) },
    c: { status: 'failed', reason: 'ATTEMPTS_EXHAUSTED', ...used(20) },
    d: { status: 'completed', ...used(90) },
    e: { status: 'queued', notBefore: 1, ...used(7) },
    f: { status: 'completed', ...used(0) },
  };
  const began = world.clock.now();
  for (const [at, name] of names.entries()) {
    const { taskId } = await world.send('hello', { contextId: `context-${at % 2}` });
    ids[taskId] = name;
    await world.work();
    const statusAt = began + 60_000 - at * 1_000;
    await overwrite(world, taskId, { ...more[name], createdAt: began + at * 1_000, statusAt });
    await overwriteView(world, taskId, { statusAt });
  }
  const api = await apiOver(world);
  return {
    api,
    began,
    team,
    world,
    list: (query: string, as?: string) => namesOf(api, ids, query, as),
  };
}

async function overwriteView(world: World, taskId: string, more: Fields): Promise<void> {
  const path = `tasks/${taskId}`;
  const { fields } = world.backend.peek(path) ?? { fields: {} };
  await world.backend.commit([], [{ path, fields: { ...fields, ...more }, expect: 'any' }]);
}

/** The names of the runs of all pages, whatever their size. */
async function namesOf(api: Api, ids: Readonly<Record<string, string>>, query: string, as = 'all') {
  const walks = await Promise.all(
    [1, 2, 100].map(async (limit) => {
      let found = '';
      for (let cursor = ''; ; ) {
        const { body, status } = await api.get(`/runs?limit=${limit}&${query}${cursor}`, as);
        if (status !== 200) throw new Error(JSON.stringify(body));
        found += body.runs.map(({ id }) => ids[id]).join('');
        if (body.cursor === undefined) return found;
        cursor = `&cursor=${body.cursor}`;
      }
    }),
  );
  expect(new Set(walks).size, `${query}: ${walks.join(', ')}`).toBe(1);
  return walks[0];
}

describe('the list of runs in an order', () => {
  it('has each run once, whatever the size of a page', async () => {
    const { list } = await six();
    expect(await list('')).toBe('abcdef');
    expect(await list('sort=changed&order=asc')).toBe('fedcba');
    expect(await list('sort=started')).toBe('fedcba');
    expect(await list('sort=started&order=asc')).toBe('abcdef');
    expect(await list('sort=age')).toBe('abcdef');
    expect(await list('sort=age&order=asc')).toBe('fedcba');
    expect(await list('sort=cost')).toBe('bdce');
    expect(await list('sort=status')).toBe('aedfbc');
    expect(await list('sort=status&order=asc')).toBe('cbfdea');
  });

  it('has those alone that a filter means', async () => {
    const { list } = await six();
    expect(await list('sort=cost&status=failed')).toBe('bc');
    expect(await list('sort=cost&status=open')).toBe('ea');
    expect(await list('sort=cost&minCost=90')).toBe('bd');
    expect(await list('sort=cost&order=asc&status=failed')).toBe('cb');
    expect(await list('sort=age&status=open')).toBe('ae');
    expect(await list('sort=started&agent=echo&status=completed')).toBe('fd');
    expect(await list('sort=status&reason=AGENT_FAILED')).toBe('b');
    expect(await list('order=asc&status=open')).toBe('ea');
    expect(await list('order=asc&status=failed')).toBe('cb');
    expect(await list('context=context-0&sort=cost')).toBe('cea');
    expect(await list('context=context-1&order=asc')).toBe('fdb');
  });
});

describe('the filters of the list of runs', () => {
  it('mean a reason, and times of change and of start', async () => {
    const { began, list } = await six();
    const at = (seconds: number) => new Date(began + seconds * 1_000).toISOString();
    expect(await list('reason=ATTEMPTS_EXHAUSTED')).toBe('c');
    expect(await list('reason=EFFECT_UNKNOWN')).toBe('');
    expect(await list(`startedSince=${at(3)}`)).toBe('def');
    expect(await list(`startedSince=${at(3)}&startedUntil=${at(5)}&sort=started`)).toBe('ed');
    expect(await list(`until=${at(58)}`)).toBe('def');
    expect(await list(`since=${at(57)}&until=${at(60)}`)).toBe('bcd');
    expect(await list(`since=${at(57)}&until=${at(60)}&order=asc`)).toBe('dcb');
  });

  it('mean a caller for operators who may know it, and refuse the others', async () => {
    const { api, list, team, world } = await six();
    const caller = encodeURIComponent(world.principal.owner);
    expect(await list(`caller=${caller}`)).toBe('abcdef');
    expect(await list(`caller=${caller}&status=failed&sort=cost`)).toBe('bc');
    expect(await list('caller=grace')).toBe('');
    expect(await list(`caller=${caller}&tenant=other`)).toBe('');
    for (const who of ['not-view', 'nobody']) {
      const { body, status } = await api.get(`/runs?caller=${caller}`, who);
      expect(status).toBe(403);
      expect(body.error).toMatchObject({ code: 'PERMISSION_DENIED' });
    }
    team.members.set('others', { may: RIGHTS, agent: 'another' });
    expect((await api.get(`/runs?caller=${caller}&agent=echo`, 'others')).status).not.toBe(200);
  });

  it.each([
    ['reason=AGENT_FALIED', 'reason', /^reason: "AGENT_FALIED" is not known.*AGENT_FAILED, /],
    ['sort=colour', 'sort', /changed.*started.*age.*cost.*status/],
    ['order=up', 'order', /desc.*asc/],
    ['until=tomorrow', 'until', /2026-01-31T12:00:00Z/],
    ['minCost=much', 'minCost', /./],
  ])('refuse %s by its name, and say what is known', async (query, field, words) => {
    const { api } = await six();
    const { body, status } = await api.get(`/runs?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'INVALID_PARAMS', field });
    expect(body.error.message).toMatch(words);
  });

  it('give a page that an order without an index made of a part of the runs the name of that', async () => {
    const { api, world } = await six();
    const { taskId } = await world.send('hello', { contextId: 'context-9' });
    const { fields = {} } = world.backend.peek(`runs/${taskId}`) ?? {};
    const rows = Array.from({ length: 1_200 }, (_, at) => {
      const id = `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
      const own = { taskId: id, statusAt: 1_000 + at, createdAt: 2_000 - at, shard: at % 8 };
      return { path: `runs/${id}`, fields: { ...fields, ...own }, expect: 'any' as const };
    });
    for (let from = 0; from < rows.length; from += 300)
      await world.backend.commit([], rows.slice(from, from + 300));
    const { body } = await api.get('/runs?context=context-9&sort=age');
    expect(body).toMatchObject({ sortedAmong: 1_000 });
    expect(body.runs).toHaveLength(50);
  });
});
