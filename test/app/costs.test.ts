import { describe, expect, it } from 'vitest';
import { countCosts, countRuns } from '../../shared/app/change/count-costs.ts';
import { removeOldCosts } from '../../shared/app/counters/remove-old-costs.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { callerKey, costCodec } from '../../shared/app/records/cost-document.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, type Ran } from './turn-loop-world.ts';
import { World, type WorldOptions } from './world.ts';

const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 };
const TURN = { turns: 1, input: 100, output: 20, cached: 40, reasoning: 5 };

/** A model whose first turn has a price and whose second has none. */
const twoTurns = () =>
  new ScriptedModel(
    { calls: [call('look', { at: 'x' })], usage: { ...usage, cost: 70 } },
    { text: 'done', usage },
  );

function worldOf(options: WorldOptions = {}, model = twoTurns()) {
  const ran: Ran[] = [];
  return new World(modelAgent(model, ran), options);
}

const countersOf = (world: World) =>
  world.backend.all('costs').map(({ fields, path }) => costCodec.decode(fields, path));

async function countAll(world: World) {
  const { runs } = await world.app.shards.toRead();
  for (let shard = 0; shard < runs; shard += 1) await countCosts(world.app, shard);
}

const both = { turns: 2, input: 200, output: 40, cached: 80, reasoning: 10, cost: 70, unpriced: 1 };

describe('what models cost', () => {
  it('is counted once by day, agent, model and caller, however often it is counted', async () => {
    const caller = { tenant: 'acme', owner: 'grace', authenticated: true };
    const world = worldOf({ caller });
    for (const text of ['one', 'two']) {
      await world.send(text);
      await finish(world);
    }
    await countAll(world);
    await countAll(world);
    await sweep(world.app);
    const counters = countersOf(world);
    const day = Math.floor(world.clock.now() / 86_400_000);
    const sum = counters.reduce(
      (all, { cost, input, turns }) => [
        (all[0] ?? 0) + turns,
        (all[1] ?? 0) + input,
        (all[2] ?? 0) + cost,
      ],
      [] as readonly number[],
    );
    expect(sum).toEqual([4, 400, 140]);
    for (const counter of counters)
      expect(counter).toMatchObject({
        day,
        agent: 'modelled',
        model: 'scripted',
        caller: callerKey(caller),
      });
    expect(JSON.stringify(counters)).not.toMatch(/grace|acme/);
  });

  it('is counted of a run that waits, and goes on being counted when it goes on', async () => {
    const model = new ScriptedModel(
      { calls: [call('erase', { at: 'x' })], usage: { ...usage, cost: 70 } },
      { text: 'done', usage },
    );
    const world = worldOf({}, model);
    const { taskId } = await world.send('go');
    await finish(world);
    await countAll(world);
    expect(countersOf(world)).toMatchObject([{ ...TURN, cost: 70, unpriced: 0 }]);
    const row = world.backend.peek(`runs/${taskId}`)?.fields;
    expect(row).not.toHaveProperty('uncounted');
    expect(row).not.toHaveProperty('countAt');
    await world.service.cancel(world.principal, taskId);
    await countAll(world);
    expect(countersOf(world)).toMatchObject([TURN]);
  });

  it('counts what failed runs used, and what was used by those that are purged at once', async () => {
    const failing = new ScriptedModel(
      { calls: [call('look', {})], usage: { ...usage, cost: 9 } },
      () => {
        throw new TypeError('broken');
      },
    );
    const world = worldOf({}, failing);
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await world.state(taskId)).toBe('FAILED');
    expect(await purgeRun(world.app, taskId)).toBe('purged');
    expect(world.backend.peek(`runs/${taskId}`)).toBeUndefined();
    expect(countersOf(world)).toMatchObject([{ cost: 9 }]);
  });

  it('leaves alone what a worker holds', async () => {
    const world = worldOf();
    const { taskId } = await world.send('go');
    await finish(world);
    const path = `runs/${taskId}`;
    const { fields = {} } = world.backend.peek(path) ?? {};
    const claimUntil = world.clock.now() + 60_000;
    const held = { ...fields, status: 'running', claimToken: 'x', claimUntil, countAt: claimUntil };
    await world.backend.commit([], [{ path, fields: held, expect: 'any' }]);
    await countAll(world);
    expect(countersOf(world)).toEqual([]);
    expect(world.backend.peek(path)?.fields).toHaveProperty('uncounted');
  });

  it('is counted once where the answer to its commit gets lost, at each commit', async () => {
    let lose = false;
    const world = worldOf({
      wrap: (backend: Backend): Backend => ({
        read: (paths) => backend.read(paths),
        query: (query, after) => backend.query(query, after),
        count: (query) => backend.count(query),
        follow: (query, after, signal) => backend.follow(query, after, signal),
        watch: (path, signal) => backend.watch(path, signal),
        close: () => backend.close(),
        async commit(checks, writes) {
          const committed = await backend.commit(checks, writes);
          if (!lose) return committed;
          lose = false;
          throw new Unavailable('the answer is lost');
        },
      }),
    });
    const { taskId } = await world.send('go');
    await finish(world);
    lose = true;
    const counting = countRuns(world.app, [taskId]);
    await world.clock.advance(1_000);
    await counting;
    expect(countersOf(world)).toMatchObject([both]);
  });

  it('is removed when its day is long ago', async () => {
    const world = worldOf();
    await world.send('go');
    await finish(world);
    await countAll(world);
    await world.clock.advance(defaults.costRetention);
    expect(await removeOldCosts(world.app)).toBe(0);
    await world.clock.advance(86_400_000);
    expect(await removeOldCosts(world.app)).toBe(1);
    expect(countersOf(world)).toEqual([]);
  });

  it('leaves no trace of a run without a model', async () => {
    const world = worldOf({}, new ScriptedModel({ text: 'done' }));
    const { taskId } = await world.send('go');
    expect(world.backend.peek(`runs/${taskId}`)?.fields).not.toHaveProperty('countAt');
  });
});
