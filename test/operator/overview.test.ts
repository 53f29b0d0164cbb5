import { expect, it } from 'vitest';
import { approvalWorld } from './worlds.ts';

it('an overview tells what became of runs, of agents that its reader may see', async () => {
  const { api, taskId, team, world } = await approvalWorld();
  await world.clock.advance(5_000);
  await api.post(`/runs/${taskId}/cancel`);
  const { body, status } = await api.get('/overview?span=1h');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    cut: false,
    looked: 1,
    agents: [{ ended: 1, failed: 0, whole: { p50: 5_000 } }],
    queued: { count: 1 },
  });
  team.members.set('other', { may: ['view'], agent: 'another' });
  // An operator of no published agent is none.
  expect((await api.get('/overview', 'other')).status).toBe(403);
  expect((await api.get('/overview?span=1y')).body.error.field).toBe('span');
});
