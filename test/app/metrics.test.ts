import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { METRICS } from '../../shared/ports/metrics.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { MemoryWebhooks, answered } from '../doubles/memory-webhooks.ts';
import { RecordingMetrics } from '../doubles/recording-metrics.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { held } from './deciding.ts';
import { asker, noticesFor, OPS, target } from './notice-world.ts';
import { finish, modelAgent } from './turn-loop-world.ts';
import { begun, waitingWorld } from './waiting.ts';
import { passes } from './webhook-world.ts';
import { World } from './world.ts';

const minute = 60_000;

describe('what is measured', () => {
  it('of a run: how long it waited for a worker, how long that had it, and how it ended', async () => {
    const metrics = new RecordingMetrics();
    const world = new World(asker, { metrics });
    await world.send('done');
    await world.clock.advance(2_000);
    await world.work();
    const [wait] = metrics.of('holdfast.queue.wait');
    expect(wait).toMatchObject({ attributes: { agent: 'asker' } });
    expect(wait?.value).toBeGreaterThanOrEqual(2);
    expect(metrics.of('holdfast.segment.duration')).toMatchObject([
      { attributes: { agent: 'asker', status: 'completed' } },
    ]);
    expect(metrics.of('holdfast.run.duration')).toMatchObject([
      { attributes: { agent: 'asker', status: 'completed' } },
    ]);
    await world.send('fail');
    await world.work();
    expect(metrics.of('holdfast.run.duration').at(-1)).toMatchObject({
      attributes: { status: 'failed', reason: 'AGENT_FAILED' },
    });
  });

  it('and in the log, of a run that ended alone: one that waits has not', async () => {
    const metrics = new RecordingMetrics();
    const world = new World(held([]), { metrics });
    await world.send('go');
    await world.work();
    expect(metrics.of('holdfast.run.duration')).toEqual([]);
    expect(world.logged.filter(({ event }) => event === 'run ended')).toEqual([]);
  });

  it('of a revision that its commit did not show: how late it was shown', async () => {
    const metrics = new RecordingMetrics();
    const world = new World(asker, { metrics });
    await world.send('done', { blocking: true });
    await world.work();
    for (const { value } of metrics.of('holdfast.projection.lag'))
      expect(value).toBeGreaterThanOrEqual(0);
  });

  it('of what waits: how much of each kind, and since when', async () => {
    const metrics = new RecordingMetrics();
    const world = new World(held([]), { metrics });
    await world.send('go');
    await world.send('go');
    await world.work();
    await world.clock.advance(10 * minute);
    await sweep(world.app);
    const kinds = metrics.of('holdfast.waits').map(({ attributes, value }) => [attributes, value]);
    expect(kinds).toEqual([
      [{ kind: 'approval' }, 2],
      [{ kind: 'input' }, 0],
      [{ kind: 'dependency' }, 0],
      [{ kind: 'unknown-send' }, 0],
      [{ kind: 'blocked' }, 0],
    ]);
    expect(metrics.of('holdfast.waits.age')[0]).toMatchObject({
      value: 600,
      attributes: { kind: 'approval' },
    });
  });

  it('of sends: what became of each', async () => {
    const metrics = new RecordingMetrics();
    const { peer, world } = waitingWorld({ metrics, peer: { canList: false } });
    peer.script('send', { kind: 'drop', when: 'before' });
    await begun(world);
    expect(metrics.of('holdfast.sends')).toMatchObject([
      { value: 1, attributes: { remote: 'peer', outcome: 'outcome_unknown' } },
    ]);
  });

  it('of webhooks and targets: how many are parked', async () => {
    const metrics = new RecordingMetrics();
    const webhooks = new MemoryWebhooks();
    webhooks.at(OPS, () => answered(500));
    const settings = { pushAttempts: 1 };
    const notices = noticesFor(target());
    const world = new World(asker, { metrics, notices, outgoing: webhooks, settings });
    await world.send('ask', { webhook: { url: OPS, version: '1.0' } });
    await passes(world, minute);
    expect(metrics.of('holdfast.webhooks.parked').at(-1)?.value).toBe(1);
    expect(metrics.of('holdfast.notices.parked').at(-1)?.value).toBe(1);
  });

  it('of a model: how long it took, and how many tokens', async () => {
    const metrics = new RecordingMetrics();
    const usage = { inputTokens: 7, outputTokens: 2 };
    const model = new ScriptedModel({ calls: [call('nothing')], usage }, { text: 'done' });
    const world = new World(modelAgent(model, []), { metrics });
    await world.send('go');
    await finish(world);
    const tokens = metrics.of('gen_ai.client.token.usage');
    expect(tokens.map(({ attributes, value }) => [attributes['gen_ai.token.type'], value])).toEqual(
      [
        ['input', 7],
        ['output', 2],
      ],
    );
    expect(metrics.of('gen_ai.client.operation.duration')).toHaveLength(2);
  });

  it('is a table of names, units and attributes that hold no id', () => {
    for (const [name, { attributes, unit }] of Object.entries(METRICS)) {
      expect(name).toMatch(/^(?:holdfast|gen_ai)\.[a-z_.]+$/v);
      expect(['s', '{run}', '{send}', '{token}', '{webhook}', '{target}']).toContain(unit);
      for (const attribute of attributes) expect(attribute).not.toMatch(/id$|task|context|owner/v);
    }
  });
});

describe('without metrics', () => {
  it('nothing is read for them', async () => {
    const agent = defineAgent({ name: 'quiet', description: 'Ends.', run: () => 'done' });
    const world = new World(agent);
    const counted: string[] = [];
    const { store } = world.app;
    const app = {
      ...world.app,
      store: {
        ...store,
        count: (query: Parameters<typeof store.count>[0]) => {
          counted.push(query.collection);
          return store.count(query);
        },
      },
    };
    await sweep(app);
    expect(counted).toEqual([]);
  });
});
