import { describe, expect, it } from 'vitest';
import { openAt, passes, row, waitingWorld } from '../app/waiting.ts';
import { holdfast } from '../cli/terminal.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { Team } from './api.ts';
import { apiOver } from './worlds.ts';

/** A run that waits for a remote which is left alone. */
async function downWorld() {
  const team = new Team();
  const made = waitingWorld({ grants: team });
  made.peer.reachable = false;
  await made.world.send('one');
  await passes(made.world, 10_000);
  const { taskId } = await made.world.send('two');
  await passes(made.world, 10_000);
  return { ...made, team, taskId, api: await apiOver(made.world) };
}

const time = expect.any(String) as string;

describe('a remote that is left alone', () => {
  it('is shown in the status, in the list of remotes and by the run that waits, with the cause', async () => {
    const { api, taskId, world } = await downWorld();
    const circuit = { remote: 'peer', openedAt: time, openUntil: time, faults: 5, reason: time };
    expect((await api.get('/status')).body).toMatchObject({ circuits: [circuit] });
    expect((await api.get('/remotes')).body).toEqual({
      remotes: [{ remote: 'peer', agents: ['agent'], circuits: [circuit] }],
    });
    expect((await api.get(`/runs/${taskId}`)).body).toMatchObject({
      waitsFor: { kind: 'circuit', remote: 'peer', until: time },
    });
    const { out } = await holdfast({ api, world }, ['status']);
    expect(out).toMatch(/remote +peer open for .+: 5 calls failed, .+: holdfast reset peer\n/v);
    expect((await holdfast({ api, world }, ['remotes'])).out).toMatch(/peer +agent +open for/v);
    expect((await holdfast({ api, world }, ['runs'])).out).toMatch(/circuit of peer for/v);
  });

  it('is called at once after a reset by an operator who may send', async () => {
    const made = await downWorld();
    const { api, peer, taskId, world } = made;
    peer.reachable = true;
    expect(await row(world, taskId)).toMatchObject({ status: 'queued', circuit: 'peer' });
    const reset = await api.post('/remotes/peer/reset', {}, 'send');
    expect(reset).toMatchObject({ status: 200, body: { remote: 'peer', circuits: [] } });
    await world.work();
    expect(openAt(peer)).toHaveLength(1);
    expect((await holdfast(made, ['reset', 'peer'])).out).toMatch(/circuit +closed/v);
    expect((await holdfast(made, ['reset'])).exit).toBe(2);
  });

  it('is polled at once after a reset', async () => {
    const team = new Team();
    const { peer, world } = waitingWorld({ grants: team });
    const api = await apiOver(world);
    const { taskId } = await world.send('hello');
    await world.work();
    peer.reachable = false;
    await passes(world, 10 * 60_000);
    peer.reachable = true;
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await api.post('/remotes/peer/reset');
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each(RIGHTS.filter((right) => right !== 'send'))(
    'is not reset by an operator with nothing but the right %s',
    async (right) => {
      const { api } = await downWorld();
      expect(await api.post('/remotes/peer/reset', {}, right)).toMatchObject({
        status: 403,
        body: { error: { code: 'PERMISSION_DENIED' } },
      });
      expect((await api.get('/status')).body).toMatchObject({ circuits: [{ remote: 'peer' }] });
    },
  );

  it('of an agent that may not be seen is as unknown as one that is not there', async () => {
    const { api, team } = await downWorld();
    team.members.set('elsewhere', { may: RIGHTS, agent: 'another' });
    const unseen = await api.post('/remotes/peer/reset', {}, 'elsewhere');
    const missing = await api.post('/remotes/missing/reset');
    expect(unseen).toMatchObject({ status: 404, body: { error: { code: 'REMOTE_NOT_FOUND' } } });
    expect(missing.body).toEqual(unseen.body);
    expect((await api.get('/remotes', 'nobody')).status).toBe(403);
  });
});
