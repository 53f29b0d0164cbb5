import { describe, expect, it } from 'vitest';
import { defineAgent, RetryLater } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { finish, modelAgent, type Ran } from '../app/turn-loop-world.ts';
import { World, type WorldOptions } from '../app/world.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { Team } from './api.ts';
import { apiOver, overwrite } from './worlds.ts';

const FULL = { installation: { answer: 'full', audit: 'full' } } as const;

/** An agent that shows what it is at and then meets a fault that may pass, so often. */
async function trying(faults: number, options: WorldOptions = FULL) {
  let left = faults;
  const agent = defineAgent({
    name: 'trier',
    description: 'Tries.',
    async run(ctx) {
      await ctx.status('reading page 7');
      // So long that it is committed.
      await world.clock.sleep(1_000);
      if (left > 0) {
        left -= 1;
        throw new RetryLater('the printer is out of paper');
      }
      return 'done';
    },
  });
  const world: World = new World(agent, { grants: new Team(), ...options });
  const { taskId } = await world.send('go');
  const segment = async () => {
    await world.work();
    await world.clock.advance(1_000);
    await world.rest();
  };
  await segment();
  return { world, segment, taskId, api: await apiOver(world) };
}

describe('a run that is tried again', () => {
  it('says its attempt, why, when the next comes, and what it said', async () => {
    const { api, segment, taskId, world } = await trying(2);
    const next = new Date(world.clock.now() + defaults.backoff).toISOString();
    const shown = {
      status: 'queued',
      attempt: { number: 2, of: defaults.requeues + 1, try: 2 },
      nextTryAt: next,
      lastError: { where: 'segment', attempt: 1, fault: 'RetryLater' },
    };
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body).toMatchObject({ ...shown, progress: 'reading page 7' });
    expect(JSON.stringify(body.lastError)).toContain('out of paper');
    const [row] = (await api.get('/runs?words=true')).body.runs;
    expect(row).toMatchObject({ ...shown, progress: 'reading page 7' });
    expect(JSON.stringify(row)).toContain('out of paper');
    // Without words a list opens no key.
    const [bare] = (await api.get('/runs')).body.runs;
    expect(bare).toMatchObject(shown);
    expect(JSON.stringify(bare)).not.toMatch(/paper|page 7/);

    await world.clock.advance(defaults.backoff);
    await segment();
    expect((await api.get(`/runs/${taskId}`)).body).toMatchObject({
      attempt: { number: 3, of: defaults.requeues + 1 },
    });
    await world.clock.advance(defaults.backoffMax);
    await segment();
    const after = (await api.get(`/runs/${taskId}`)).body;
    expect(after).toMatchObject({ status: 'completed' });
    for (const field of ['attempt', 'nextTryAt', 'lastError', 'progress'])
      expect(after, field).not.toHaveProperty(field);
  });

  it('shows no words to operators without `view`, and none that the ceilings do not let be kept', async () => {
    const { api, taskId } = await trying(1);
    const { body } = await api.get(`/runs/${taskId}`, 'not-view');
    expect(body).toMatchObject({ lastError: { fault: 'RetryLater' } });
    expect(JSON.stringify(body)).not.toMatch(/paper|page 7/);
    const metadata = await trying(1, { installation: { answer: 'metadata', audit: 'metadata' } });
    const kept = (await metadata.api.get(`/runs/${metadata.taskId}`)).body;
    expect(kept).toMatchObject({ lastError: { fault: 'RetryLater' } });
    expect(JSON.stringify(kept)).not.toContain('paper');
    const none = await trying(1, { installation: { answer: 'metadata', audit: 'none' } });
    const bare = (await none.api.get(`/runs/${none.taskId}`)).body;
    expect(bare).toMatchObject({ attempt: { number: 2 } });
    expect(bare).not.toHaveProperty('lastError');
  });

  it('says that its worker was lost', async () => {
    const { api, world } = await trying(0);
    const { taskId } = await world.send('again');
    const claimUntil = world.clock.now() - 1;
    await overwrite(world, taskId, { status: 'running', claimToken: 'of another', claimUntil });
    await world.clock.advance(defaults.sweepGrace);
    await sweep(world.app);
    expect((await api.get(`/runs/${taskId}`)).body).toMatchObject({
      status: 'queued',
      attempt: { number: 2 },
      lastError: { where: 'worker', attempt: 1, fault: 'WorkerLost' },
    });
  });
});

describe('a run with models', () => {
  it('says which answered last, its tokens, and what they cost where a price is known', async () => {
    const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 };
    const held = call('erase', { at: 'disk 1' });
    const ran: Ran[] = [];
    const model = new ScriptedModel(
      { calls: [call('look', { at: 'x' })], usage: { ...usage, cost: 70 } },
      { calls: [held], usage },
    );
    const world = new World(modelAgent(model, ran), { grants: new Team(), ...FULL });
    const { taskId } = await world.send('go');
    await finish(world);
    const api = await apiOver(world);
    const used = {
      turns: 2,
      input: 200,
      output: 40,
      cached: 80,
      reasoning: 10,
      cost: 70,
      unpriced: 1,
    };
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body).toMatchObject({ status: 'waiting_for_approval', model: model.name, used });
    expect((await api.get('/runs')).body.runs[0]).toMatchObject({ model: model.name, used });
  });
});
