import { describe, expect, it } from 'vitest';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { finish, modelAgent, type Ran } from '../app/turn-loop-world.ts';
import { World } from '../app/world.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { Team } from './api.ts';
import { apiOver } from './worlds.ts';

const usage = { inputTokens: 100, outputTokens: 20, cost: 7 };

async function used() {
  const team = new Team();
  const ran: Ran[] = [];
  const agent = modelAgent(new ScriptedModel({ text: 'done', usage }), ran);
  const caller = { tenant: '', owner: 'ada', authenticated: true };
  const world = new World(agent, { grants: team, caller });
  const ids: string[] = [];
  for (const day of [0, 0, 1]) {
    await world.clock.advance(day * 86_400_000);
    ids.push((await world.send('go')).taskId);
    await finish(world);
  }
  return { api: await apiOver(world), team, world, ids };
}

describe('costs', () => {
  it('are there at once, by day unless it is said by what', async () => {
    const { api } = await used();
    const { body } = await api.get('/costs');
    expect(body).toMatchObject({
      from: '2027-01-10',
      to: '2027-01-16',
      by: ['day'],
      rows: [
        { day: '2027-01-15', turns: 2, input: 200, output: 40, cost: 14, unpriced: 0 },
        { day: '2027-01-16', turns: 1, input: 100, output: 20, cost: 7, unpriced: 0 },
      ],
      total: { turns: 3, cost: 21 },
    });
    expect((await api.get('/costs?by=model,agent')).body).toMatchObject({
      by: ['agent', 'model'],
      rows: [{ agent: 'modelled', model: 'scripted', turns: 3, cost: 21 }],
    });
    expect((await api.get('/costs?from=2027-01-16')).body).toMatchObject({ total: { cost: 7 } });
    expect((await api.get('/costs?to=2027-01-15')).body).toMatchObject({ total: { cost: 14 } });
    expect((await api.get('/costs?model=another')).body).toMatchObject({ rows: [] });
  });

  it('say whose they are to operators who may know it, if one of the newest runs is theirs', async () => {
    const { api } = await used();
    const [row] = (await api.get('/costs?by=caller')).body.rows;
    expect(row).toMatchObject({ owner: 'ada', cost: 21 });
    expect(row).toHaveProperty('caller', expect.stringMatching(/^[0-9a-f]{40}$/));
    const [hidden] = (await api.get('/costs?by=caller', 'cancel')).body.rows;
    expect(hidden).toMatchObject({ cost: 21 });
    expect(hidden).not.toHaveProperty('owner');
    expect(hidden).not.toHaveProperty('caller');
  });

  it('are of agents on which the operator has a right, and of no others', async () => {
    const { api, team } = await used();
    team.members.set('others', { may: RIGHTS, agent: 'another' });
    expect((await api.get('/costs', 'others')).status).toBe(403);
    expect((await api.get('/costs', 'nobody')).status).toBe(403);
  });

  it.each([
    ['by=colour', 'by', /"colour" is not known.*day, agent, model, caller/],
    ['from=yesterday', 'from', /2026-01-31/],
    ['from=2027-01-20&to=2027-01-10', 'from', /after/],
    ['from=2020-01-01&to=2027-01-10', 'from', /400 days/],
    ['agent=modeled', 'agent', /"modeled" is not known.*modelled/],
  ])('refuse %s by its name', async (query, field, words) => {
    const { api } = await used();
    const { body, status } = await api.get(`/costs?${query}`);
    expect(status).toBe(400);
    expect(body.error.field).toMatch(new RegExp(`^${field}`));
    expect(body.error.message).toMatch(words);
  });
});
