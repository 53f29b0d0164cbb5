import { describe, expect, it } from 'vitest';
import type { Limits } from '../../shared/agent/index.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { everythingGranted, finish, modelAgent, type Ran, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const look = call('look', { at: 'a' });
const choose = call('choose', { at: 'b' });
const usage = { inputTokens: 70, outputTokens: 30, cost: 5 };
const turns = (count: number, ...calls: readonly ReturnType<typeof call>[]): readonly Scripted[] =>
  Array.from({ length: count }, () => ({ calls, usage }));

async function run(script: readonly Scripted[], limits: Limits = {}) {
  const ran: Ran[] = [];
  const model = new ScriptedModel(...script);
  const world = new World(modelAgent(model, ran, { limits }), { grants: everythingGranted });
  const { taskId } = await world.send('go');
  await finish(world);
  return { ran, model, world, taskId };
}

/** Answers each question until there is none. */
async function answerAll(world: World, taskId: string): Promise<number> {
  let answers = 0;
  for (; (await world.state(taskId)) === 'INPUT_REQUIRED'; answers += 1) {
    await world.trySend([{ data: { n: 1 } }], { taskId });
    await finish(world);
    if (answers > 100) throw new Error('it asks for ever');
  }
  return answers;
}

describe('budgets (G16)', () => {
  it('are the same with and without 20 suspensions', async () => {
    const limits = { rounds: 50 };
    const last = { text: 'done', usage };
    const straight = await run([...turns(20, look), last], limits);
    const suspended = await run([...turns(20, choose), last], limits);
    expect(await answerAll(suspended.world, suspended.taskId)).toBe(20);
    const row = await rowOf(suspended.world, suspended.taskId);
    expect(row).toMatchObject({ status: 'completed', pauseGeneration: 20, fence: 21 });
    expect(row.spent).toEqual((await rowOf(straight.world, straight.taskId)).spent);
    expect(row.spent).toMatchObject({ rounds: 21, tokens: 2_100, cost: 105 });
  });

  it('a model that does not say what it cost costs what the installation says, and the limit counts that', async () => {
    const prices = { scripted: { input: 2, output: 10, cachedInput: 1 } };
    const plain = { inputTokens: 70, outputTokens: 30, cachedInputTokens: 20 };
    const script = (own: object) =>
      new ScriptedModel(
        { calls: [look], usage: { ...plain, ...own } },
        { text: 'done', usage: plain },
      );
    const spend = async (own: object, limits: Limits = {}) => {
      const world = new World(modelAgent(script(own), [], { limits }), { prices });
      const { taskId } = await world.send('go');
      await finish(world);
      return rowOf(world, taskId);
    };
    const each = 50 * 2 + 20 * 1 + 30 * 10;
    expect(await spend({})).toMatchObject({ status: 'completed', spent: { cost: 2 * each } });
    // What the model says itself goes before it, also if it costs nothing.
    expect(await spend({ cost: 7 })).toMatchObject({ spent: { cost: 7 + each } });
    expect(await spend({ cost: 0 })).toMatchObject({ spent: { cost: each } });
    expect(await spend({}, { cost: each })).toMatchObject({ reason: 'COST_EXCEEDED' });
    const unpriced = new World(modelAgent(script({})), {
      prices: { other: { input: 1, output: 1 } },
    });
    const { taskId } = await unpriced.send('go');
    await finish(unpriced);
    expect(await rowOf(unpriced, taskId)).toMatchObject({ spent: { cost: 0 } });
  });

  it.each<[string, readonly Scripted[]]>([
    ['without', turns(30, look)],
    ['with', turns(30, choose)],
  ])('20 rounds are the end, %s suspensions', async (_what, script) => {
    const { model, ran, taskId, world } = await run(script);
    await answerAll(world, taskId);
    expect(await world.get(taskId)).toMatchObject({
      status: {
        state: 'FAILED',
        message: { parts: [{ text: expect.stringMatching(/rounds/) as string }] },
      },
      metadata: { reason: 'ROUNDS_EXCEEDED' },
    });
    expect(model.calls).toBe(20);
    expect(ran).toHaveLength(20);
  });

  it('the 20th round may be the last turn', async () => {
    const { taskId, world } = await run([...turns(19, look), { text: 'done' }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each<[Limits, string]>([
    [{ tokens: 299 }, 'TOKENS_EXCEEDED'],
    [{ cost: 14 }, 'COST_EXCEEDED'],
    [{ rounds: 2 }, 'ROUNDS_EXCEEDED'],
  ])('%o ends a run that uses more, with %s', async (limits, reason) => {
    const { ran, taskId, world } = await run(turns(9, look), limits);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason },
    });
    // What came over the limit is not carried out, and it is counted.
    expect(ran).toHaveLength(2);
    const { spent } = await rowOf(world, taskId);
    expect(spent.rounds).toBe(reason === 'ROUNDS_EXCEEDED' ? 2 : 3);
  });

  it('a limit may be reached', async () => {
    const { taskId, world } = await run([...turns(2, look), { text: 'done', usage }], {
      tokens: 300,
      cost: 15,
      rounds: 3,
    });
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('a last turn that comes over a limit is no result, and what it used is counted', async () => {
    const artifacts = [{ parts: 'too late' }];
    const { taskId, world } = await run([{ text: 'done', usage, artifacts }], { tokens: 99 });
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'TOKENS_EXCEEDED' },
      artifacts: [],
    });
    expect((await rowOf(world, taskId)).spent).toMatchObject({ rounds: 1, tokens: 100 });
  });
});
