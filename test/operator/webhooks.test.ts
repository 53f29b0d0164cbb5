import { describe, expect, it } from 'vitest';
import { HOOK, passes, rowOf, URL } from '../app/webhook-world.ts';
import { holdfast } from '../cli/terminal.ts';
import { answered } from '../doubles/memory-webhooks.ts';
import { overwrite, parkedWorld } from './worlds.ts';

describe('a parked webhook', () => {
  it('is listed with why, and since when, and without its URL and secrets', async () => {
    const { api, name, taskId, world } = await parkedWorld();
    const { body } = await api.get('/webhooks');
    expect(body).toMatchObject({ more: false });
    expect(body.webhooks).toEqual([
      {
        id: name,
        run: taskId,
        agent: 'talker',
        reason: 'http 500',
        failures: 2,
        after: 0,
        since: expect.any(String) as string,
      },
    ]);
    const { exit, out } = await holdfast({ api, world }, ['webhooks']);
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining(name) as string });
    expect(out).toContain('http 500, 2 times');
  });

  it('is not shown to an operator without a right on its agent', async () => {
    const { api } = await parkedWorld();
    expect((await api.get('/webhooks', 'nobody')).status).toBe(403);
  });

  it('is counted in the status, with the one that has waited longest and the command that lists them', async () => {
    const { api, name, taskId, world } = await parkedWorld();
    const { webhook } = await rowOf(world, taskId, 'a.b');
    await world.send('again', { webhook: { ...HOOK, id: 'newer' } });
    await passes(world, 60_000);
    const { body } = await api.get('/status');
    const since = webhook.status === 'parked' ? new Date(webhook.parkedAt).toISOString() : '';
    expect(body.parkedWebhooks).toEqual({ count: 2, oldest: { since, id: name } });
    const { out } = await holdfast({ api, world }, ['status']);
    expect(out).toMatch(/parked webhooks +2, the oldest for .+ .+a\.b: holdfast webhooks\n/v);
  });

  it('is counted for an operator without a right on its agent, and not named', async () => {
    const { api, taskId, team, world } = await parkedWorld();
    await overwrite(world, taskId, { agent: 'another' });
    team.members.set('talker', { may: ['view'], agent: 'talker' });
    const { body } = await api.get('/status', 'talker');
    expect(body.parkedWebhooks).toEqual({
      count: 1,
      oldest: { since: expect.any(String) as string },
    });
  });

  it('is not counted once it is told again', async () => {
    const { api, name, webhooks } = await parkedWorld();
    webhooks.at(URL, () => answered(204));
    await api.post(`/webhooks/${name}/redeliver`);
    expect((await api.get('/status')).body.parkedWebhooks).toEqual({ count: 0 });
  });

  it('is told again from the event on at which it was given up, and the run says who did that', async () => {
    const { api, name, taskId, webhooks, world } = await parkedWorld();
    webhooks.at(URL, () => answered(204));
    const before = webhooks.posts.length;
    const answer = await api.post(`/webhooks/${name}/redeliver`, {}, 'send');
    expect(answer).toMatchObject({ status: 200, body: { webhook: name, run: taskId } });
    await passes(world, 10_000);
    const seqs = webhooks.seqsTo(URL).slice(before);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    const { cursor, status } = (await rowOf(world, taskId, 'a.b')).webhook;
    expect({ cursor, status }).toEqual({ cursor: seqs.length, status: 'idle' });
    expect((await api.get('/webhooks')).body.webhooks).toEqual([]);
    expect((await api.get(`/runs/${taskId}`)).body.acts).toMatchObject([
      { kind: 'redeliver', operator: 'send' },
    ]);
  });

  it('gets as many attempts as at first, and is parked again', async () => {
    const { api, name, taskId, webhooks, world } = await parkedWorld();
    await api.post(`/webhooks/${name}/redeliver`);
    await passes(world, 60_000);
    expect(webhooks.posts).toHaveLength(4);
    expect((await rowOf(world, taskId, 'a.b')).webhook.status).toBe('parked');
  });

  it('is told again once: the second word about it finds it told as it should be', async () => {
    const { api, name } = await parkedWorld();
    const answers = await Promise.all([1, 2].map(() => api.post(`/webhooks/${name}/redeliver`)));
    const codes = answers.map(({ body, status }) => (status === 200 ? 'told' : body.error.code));
    expect(codes.toSorted()).toEqual(['WEBHOOK_NOT_PARKED', 'told']);
  });

  it('that is not there is not found', async () => {
    const { api, taskId } = await parkedWorld();
    for (const name of ['x', taskId, `${taskId}.other`, `${taskId}.`]) {
      const answer = await api.post(`/webhooks/${name}/redeliver`);
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'WEBHOOK_NOT_FOUND' } } });
    }
  });

  it('is told again by the command line once a person has said yes to what it shows', async () => {
    const made = await parkedWorld();
    const shown: string[] = [];
    const ask = (answer: string) => (question: string) => {
      shown.push(question);
      return Promise.resolve(answer);
    };
    const no = await holdfast(made, ['redeliver', made.name], { ask: ask('n') });
    expect(no).toMatchObject({ exit: 1, error: 'holdfast: nothing was done\n' });
    const without = await holdfast(made, ['redeliver', made.name]);
    expect(without.exit).not.toBe(0);
    expect((await made.api.get('/webhooks')).body.webhooks).toHaveLength(1);
    const yes = await holdfast(made, ['redeliver', made.name], { ask: ask('y') });
    expect(yes).toMatchObject({ exit: 0, out: expect.stringContaining(made.name) as string });
    expect(shown[0]).toContain('http 500, 2 times');
    expect((await made.api.get('/webhooks')).body.webhooks).toEqual([]);
  });
});
