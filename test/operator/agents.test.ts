import { describe, expect, it } from 'vitest';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { holdfast } from '../cli/terminal.ts';
import { finish } from '../app/turn-loop-world.ts';
import { approvalWorld } from './worlds.ts';

const since = expect.any(String) as string;

describe('pausing an agent', () => {
  it('is shown in the list of agents and in the status, until it is resumed', async () => {
    const { api, world } = await approvalWorld();
    expect((await api.get('/agents')).body).toEqual({
      agents: [{ agent: 'modelled', may: RIGHTS }],
    });
    const paused = await api.post('/agents/modelled/pause', {}, 'pause');
    expect(paused).toMatchObject({ status: 200, body: { agent: 'modelled', pausedSince: since } });
    expect((await api.get('/status')).body).toMatchObject({
      pausedAgents: [{ agent: 'modelled', since }],
    });
    const { out } = await holdfast({ api, world }, ['status']);
    expect(out).toMatch(/paused +modelled for .+: holdfast resume modelled\n/v);
    const resumed = await api.post('/agents/modelled/resume', {}, 'pause');
    expect(resumed.body).toEqual({ agent: 'modelled', may: ['pause'] });
    expect((await api.get('/status')).body).toMatchObject({ pausedAgents: [] });
  });

  it('twice is pausing it once, and resuming what is not paused does nothing', async () => {
    const { api, world } = await approvalWorld();
    const first = await api.post('/agents/modelled/pause');
    await world.clock.advance(60_000);
    const second = await api.post('/agents/modelled/pause');
    expect(second.body).toEqual(first.body);
    await api.post('/agents/modelled/resume');
    expect((await api.post('/agents/modelled/resume')).status).toBe(200);
  });

  it.each(RIGHTS.filter((right) => right !== 'pause'))(
    'takes the right pause: %s is not enough',
    async (right) => {
      const { api } = await approvalWorld();
      for (const act of ['pause', 'resume'])
        expect(await api.post(`/agents/modelled/${act}`, {}, right)).toMatchObject({
          status: 403,
          body: { error: { code: 'PERMISSION_DENIED' } },
        });
      expect((await api.get('/status')).body).toMatchObject({ pausedAgents: [] });
    },
  );

  it('an agent on which an operator has no right is as unknown as one that is not there', async () => {
    const { api, team } = await approvalWorld();
    team.members.set('elsewhere', { may: RIGHTS, agent: 'another' });
    const unseen = await api.post('/agents/modelled/pause', {}, 'elsewhere');
    const missing = await api.post('/agents/missing/pause');
    expect(unseen).toMatchObject({ status: 404, body: { error: { code: 'AGENT_NOT_FOUND' } } });
    expect(missing.body).toEqual(unseen.body);
    expect((await api.post('/agents/no%20name/pause')).status).toBe(404);
    expect((await api.get('/agents', 'nobody')).status).toBe(403);
  });

  it('stores a decision, and refuses to carry one out', async () => {
    const { api, ran, taskId, world } = await approvalWorld();
    await api.post('/agents/modelled/pause');
    const { waitsFor } = (await api.get(`/runs/${taskId}`)).body;
    const { digest } = waitsFor;
    const decision = { kind: 'approve', pauseGeneration: 1, digest };
    const direct = await api.post(`/runs/${taskId}/decisions`, { ...decision, mode: 'direct' });
    expect(direct).toMatchObject({ status: 409, body: { error: { code: 'AGENT_PAUSED' } } });
    expect((await api.post(`/runs/${taskId}/decisions`, decision)).status).toBe(200);
    await finish(world);
    expect(ran).toEqual([]);
    await api.post('/agents/modelled/resume');
    await finish(world);
    expect(ran).toHaveLength(1);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('by the command line says what is so then', async () => {
    const made = await approvalWorld();
    expect((await holdfast(made, ['pause', 'modelled'])).out).toMatch(/paused +since 20/v);
    await made.world.clock.advance(90_000);
    expect((await holdfast(made, ['agents'])).out).toMatch(/modelled +paused for 1m 30s/v);
    expect((await holdfast(made, ['resume', 'modelled'])).out).toMatch(/paused +no/v);
    expect((await holdfast(made, ['agents'])).out).toMatch(/modelled +works/v);
    expect(await holdfast(made, ['pause'])).toMatchObject({ exit: 2 });
    const unknown = await holdfast(made, ['pause', 'missing']);
    expect(unknown).toMatchObject({ exit: 1 });
    expect(unknown.error).toContain('holdfast agents');
  });
});
