import { describe, expect, it } from 'vitest';
import { noticesFor, OPS, target, toldTo } from '../app/notice-world.ts';
import { passes } from '../app/webhook-world.ts';
import { holdfast } from '../cli/terminal.ts';
import { answered, MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { approvalWorld } from './worlds.ts';

const day = 86_400_000;

/** A target that takes nothing, and a run that waits. */
async function parked() {
  const webhooks = new MemoryWebhooks();
  webhooks.at(OPS, () => answered(500));
  const asking = await approvalWorld({
    outgoing: webhooks,
    notices: noticesFor(target(), target({ name: 'chat', form: 'slack', at: { secret: 'GONE' } })),
    settings: { pushAttempts: 2 },
  });
  await passes(asking.world, day / 24, 60_000);
  return { ...asking, webhooks };
}

describe('targets of notices', () => {
  it('are listed with how far they were told, and without their URLs', async () => {
    const { api, world } = await parked();
    const { body } = await api.get('/notices');
    expect(JSON.stringify(body)).not.toContain(OPS);
    expect(body.targets).toMatchObject([
      { name: 'ops', form: 'json', status: 'parked', left: 1, reason: 'http 500', failures: 2 },
      { name: 'chat', form: 'slack', status: 'parked', left: 1, reason: 'secret not at hand' },
    ]);
    const { exit, out } = await holdfast({ api, world }, ['notices']);
    expect(exit).toBe(0);
    expect(out).toMatch(/ops +json +parked for .+: http 500, 2 times +1/v);
  });

  it('that are parked are told again when an operator says so, what still waits', async () => {
    const { api, taskId, webhooks, world } = await parked();
    webhooks.at(OPS, () => answered(200));
    const { exit, out } = await holdfast({ api, world }, ['notices', 'redeliver', 'ops', '--yes']);
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining('ops') as string });
    await world.work();
    expect(toldTo(webhooks).at(-1)).toMatchObject({ kind: 'approval', run: taskId });
    const { body } = await api.get('/notices');
    expect(body.targets[0]).toMatchObject({ name: 'ops', status: 'idle', left: 0 });
  });

  it('are told again only if they are parked, and by who may send for every agent', async () => {
    const { api, team } = await parked();
    team.members.set('viewer', { may: ['view'] });
    expect((await api.post('/notices/ops/redeliver', {}, 'viewer')).status).toBe(403);
    expect((await api.post('/notices/none/redeliver')).status).toBe(404);
    expect((await api.post('/notices/ops/redeliver')).status).toBe(200);
    expect((await api.post('/notices/ops/redeliver')).status).toBe(409);
  });

  it('are shown to operators alone', async () => {
    const { api } = await parked();
    expect((await api.get('/notices', 'nobody')).status).toBe(403);
  });
});
