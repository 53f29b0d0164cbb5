import { describe, expect, it } from 'vitest';
import { defineAgent, TaskFailed } from '../../shared/agent/index.ts';
import { countEnded } from '../../shared/app/counters/count-ended.ts';
import { endedDoc } from '../../shared/app/counters/ended-document.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { World } from '../app/world.ts';
import { Team } from './api.ts';
import { apiOver } from './worlds.ts';

const agent = defineAgent({
  name: 'mixed',
  description: 'Ends as it is told.',
  async run(ctx) {
    if (ctx.text === 'fail') throw new TaskFailed('no');
    if (ctx.text === 'reject') return ctx.reject('no');
    await world.clock.sleep(Number(ctx.text));
    return 'done';
  },
});

let world: World;

async function ended(...words: readonly string[]) {
  const ids: string[] = [];
  for (const text of words) {
    ids.push((await world.send(text)).taskId);
    await world.work();
    await world.clock.advance(Number(text) || 1);
    await world.rest();
  }
  return ids;
}

function fresh() {
  world = new World(agent, { grants: new Team() });
  return world;
}

async function countAll() {
  const { runs } = await world.app.shards.toRead();
  for (let shard = 0; shard < runs; shard += 1) await countEnded(world.app, shard);
}

describe('throughput', () => {
  it('counts what ended, how and why, and how long it took, before any sweep and after', async () => {
    fresh();
    await ended('1000', '1000', '8000', 'fail', 'fail', 'reject');
    const api = await apiOver(world);
    const first = (await api.get('/throughput')).body;
    expect(first).toMatchObject({
      window: '1h',
      ended: { completed: 3, failed: 2, cancelled: 0, rejected: 1 },
      reasons: [{ reason: 'AGENT_FAILED', count: 2 }],
      took: { count: 3 },
      behind: false,
    });
    const { took } = first as unknown as { took: { p50: number; p99: number } };
    expect(took.p50).toBeGreaterThanOrEqual(1_000);
    expect(took.p50).toBeLessThan(1_250);
    expect(took.p99).toBeGreaterThanOrEqual(8_000);
    expect(took.p99).toBeLessThan(9_600);
    await world.clock.advance(60_000);
    await sweep(world.app);
    await countAll();
    await ended('1000');
    const after = (await api.get('/throughput')).body;
    expect(after).toMatchObject({ ended: { completed: 4, failed: 2, rejected: 1 } });
    const { stretches } = after as unknown as { stretches: { completed: number }[] };
    expect(stretches).toHaveLength(60);
    expect(stretches.at(-1)).toMatchObject({ completed: 1 });
    for (const window of ['24h', '7d'])
      expect((await api.get(`/throughput?window=${window}`)).body).toMatchObject({
        ended: { completed: 4, failed: 2, rejected: 1 },
      });
  });

  it('forgets what is out of the window, and keeps few numbers however much ended', async () => {
    fresh();
    await ended('1000');
    await world.clock.advance(40_000);
    await countAll();
    await world.clock.advance(3_600_000);
    const api = await apiOver(world);
    expect((await api.get('/throughput')).body).toMatchObject({ ended: { completed: 0 } });
    expect((await api.get('/throughput?window=24h')).body).toMatchObject({
      ended: { completed: 1 },
    });
    for (let hour = 0; hour < 200; hour += 1) {
      await ended('1');
      await world.clock.advance(3_600_000);
      await countAll();
    }
    const { runs } = await world.app.shards.toRead();
    for (let shard = 0; shard < runs; shard += 1) {
      const doc = await world.app.store.get(endedDoc(shard));
      expect(doc?.hours.length ?? 0).toBeLessThanOrEqual(170);
      expect(doc?.minutes.length ?? 0).toBeLessThanOrEqual(90);
    }
  });

  it('does not count a run again whose answer is redacted after its end', async () => {
    fresh();
    const [id = ''] = await ended('1000');
    await world.clock.advance(40_000);
    await countAll();
    await tightenCeiling(world.app, id, { answer: 'redacted' });
    await world.clock.advance(40_000);
    await countAll();
    const api = await apiOver(world);
    expect((await api.get('/throughput')).body).toMatchObject({ ended: { completed: 1 } });
  });

  it('counts once what two count at the same time', async () => {
    fresh();
    await ended('1000', 'fail');
    await world.clock.advance(40_000);
    await Promise.all([countAll(), countAll(), countAll()]);
    const api = await apiOver(world);
    expect((await api.get('/throughput')).body).toMatchObject({
      ended: { completed: 1, failed: 1 },
    });
  });

  it('is for operators, and refuses a window that it does not have', async () => {
    fresh();
    const api = await apiOver(world);
    expect((await api.get('/throughput', 'nobody')).status).toBe(403);
    const { body, status } = await api.get('/throughput?window=2h');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ field: 'window' });
    expect(body.error.message).toMatch(/1h.*24h.*7d/);
  });
});
