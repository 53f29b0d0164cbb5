import { describe, expect, it } from 'vitest';
import {
  type Ceiling,
  type Model,
  ModelFault,
  type ModelTurn,
  RetryLater,
} from '../../shared/agent/index.ts';
import { call } from '../../testing/scripted-model.ts';
import { finish, modelAgent, type Ran, rowOf, stepsOf } from './turn-loop-world.ts';
import { World } from './world.ts';

interface Scripted extends Model {
  calls: number;
}

/** Answers by what it is given, one after the other; the last one for ever. */
function model(
  name: string,
  answers: readonly (ModelTurn | Error)[],
  more: { readonly ceiling?: Ceiling; readonly provider?: string } = {},
): Scripted {
  const made: Scripted = {
    name,
    ...more,
    calls: 0,
    turn() {
      const answer = answers[Math.min(made.calls, answers.length - 1)];
      made.calls += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? {});
    },
  };
  return made;
}

async function run(...models: readonly Model[]) {
  const ran: Ran[] = [];
  const world = new World(modelAgent(models[0] ?? model('none', []), ran, { model: models }));
  const send = async () => {
    const { taskId } = await world.send('my secret');
    await finish(world);
    return taskId;
  };
  return { ran, world, send, taskId: await send() };
}

const said = (text: string): ModelTurn => ({ text });
const busy = (delay?: number) => new RetryLater('busy', delay === undefined ? {} : { delay });

describe('a chain of models', () => {
  it('is answered by its first, and the others are not asked', async () => {
    const [a, b] = [model('a', [said('from a')]), model('b', [said('from b')])];
    const { taskId, world } = await run(a, b);
    expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'from a' }]);
    expect([a.calls, b.calls]).toEqual([1, 0]);
  });

  it.each<[string, Error]>([
    ['is away', busy()],
    ['refuses the request', new ModelFault('a', 'no such key', { status: 401 })],
  ])('goes on with the next when one %s, and the log says so', async (_what, error) => {
    const [a, b] = [model('a', [error]), model('b', [said('from b')])];
    const { taskId, world } = await run(a, b);
    expect((await world.get(taskId)).status).toMatchObject({
      state: 'COMPLETED',
      message: { parts: [{ text: 'from b' }] },
    });
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        event: 'agent error',
        fields: expect.objectContaining({ where: 'model', model: 'a' }) as unknown,
      }),
    );
  });

  it('keeps with each turn which of them made it', async () => {
    const held = { calls: [call('erase', { at: 'x' })] };
    const { taskId, world } = await run(model('a', [busy()]), model('b', [held]));
    expect((await rowOf(world, taskId)).status).toBe('waiting_for_approval');
    expect((await stepsOf(world, taskId)).at(-1)).toMatchObject({ kind: 'turn', by: 'b' });
    const none = { cached: 0, reasoning: 0 };
    const used = { input: 0, output: 0, ...none, cost: 0, unpriced: 1 };
    expect((await rowOf(world, taskId)).models).toEqual([{ model: 'b', turns: 1, ...used }]);
  });

  it('keeps after the end which models answered, and their tokens apart', async () => {
    const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 };
    const a = model('a', [{ calls: [call('look', { at: 'x' })], usage }, busy(60_000)]);
    const { taskId, world } = await run(a, model('b', [{ text: 'from b', usage }]));
    const used = { turns: 1, input: 100, output: 20, cached: 40, reasoning: 5 };
    expect(await rowOf(world, taskId)).toMatchObject({
      status: 'completed',
      models: [
        { model: 'a', ...used },
        { model: 'b', ...used },
      ],
      spent: { tokens: 240 },
    });
  });

  it('puts the run under the ceiling of the one that is asked, before it is asked, and of no other', async () => {
    const strict = model('b', [said('my secret answer')], { ceiling: 'redacted' });
    const loose = await run(model('a', [said('fine')]), strict);
    expect(await rowOf(loose.world, loose.taskId)).toMatchObject({ answerCeiling: 'full' });
    const seen: Ceiling[] = [];
    const watched: Model = {
      ...strict,
      async turn(...asked) {
        seen.push((await rowOf(world, current.id ?? '')).answerCeiling);
        return strict.turn(...asked);
      },
    };
    const current: { id?: string } = {};
    const world = new World(modelAgent(watched, [], { model: [model('a', [busy()]), watched] }));
    current.id = (await world.send('my secret')).taskId;
    await finish(world);
    expect(seen).toEqual(['redacted']);
    expect(JSON.stringify(await world.get(current.id))).not.toContain('secret');
  });

  it('never asks one whose ceiling keeps nothing', async () => {
    const none = model('b', [said('kept nowhere')], { ceiling: 'none' });
    const { taskId, world } = await run(model('a', [busy()]), none);
    expect(none.calls).toBe(0);
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'RESULT_NOT_KEPT' });
  });

  it('waits without a worker when none answers, until the first may be asked again', async () => {
    const a = model('a', [busy(90_000), said('from a')]);
    const b = model('b', [busy(300_000), said('from b')]);
    const { taskId, world } = await run(a, b);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'queued' });
    await world.clock.advance(89_000);
    await finish(world);
    expect([a.calls, b.calls]).toEqual([1, 1]);
    await world.clock.advance(1_000);
    await finish(world);
    expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'from a' }]);
    expect([a.calls, b.calls]).toEqual([2, 1]);
  });

  it('ends the run at once when each of them refuses for good', async () => {
    const no = (name: string) => model(name, [new ModelFault(name, 'no', { status: 400 })]);
    const { taskId, world } = await run(no('a'), no('b'));
    expect((await world.get(taskId)).metadata).toMatchObject({ fault: 'MODEL_FAULT' });
  });

  it('passes over a provider that failed three times in a row, with all its models, for half a minute', async () => {
    const one = model('a-large', [busy()], { provider: 'a' });
    const two = model('a-small', [busy()], { provider: 'a' });
    const b = model('b', [said('from b')]);
    const { send, world } = await run(one, two, b);
    await send();
    expect([one.calls, two.calls, b.calls]).toEqual([2, 1, 2]);
    await send();
    expect([one.calls, two.calls, b.calls]).toEqual([2, 1, 3]);
    await world.clock.advance(30_001);
    await send();
    expect(one.calls).toBe(3);
  });

  it('leaves one alone for as long as its provider asked, and comes back to it', async () => {
    const a = model('a', [busy(60_000), said('from a')]);
    const { send, world } = await run(a, model('b', [said('from b')]));
    await send();
    expect(a.calls).toBe(1);
    await world.clock.advance(60_000);
    const taskId = await send();
    expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'from a' }]);
  });

  it('that is empty, or holds what is no model, is no declaration', () => {
    expect(() => modelAgent(model('a', []), [], { model: [] })).toThrow(/model must be/);
    const broken = { name: 'x' } as unknown as Model;
    expect(() => modelAgent(model('a', []), [], { model: [broken] })).toThrow(/model must be/);
  });
});
