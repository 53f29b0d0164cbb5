import { describe, expect, it } from 'vitest';
import { RetryLater, TaskFailed } from '../../shared/agent/index.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, type Ran, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const look = call('look', { at: 'a' });
const good = { inputTokens: 1, outputTokens: 1 };

async function run(...script: readonly Scripted[]) {
  const ran: Ran[] = [];
  const model = new ScriptedModel(...script);
  const world = new World(modelAgent(model, ran));
  const { taskId } = await world.send('go');
  await finish(world);
  return { ran, model, world, taskId, task: await world.get(taskId) };
}

describe('a model that misbehaves', () => {
  it.each<[string, Scripted]>([
    ['null', null],
    ['a text', 'hello'],
    ['a number', 5],
    ['undefined', () => undefined],
    ['hundreds of calls', { calls: Array.from({ length: 300 }, () => look) }],
    ['a giant text', { text: 'x'.repeat(2 * 1024 * 1024) }],
    ['usage that is no number', { text: 'x', usage: { inputTokens: Number.NaN, outputTokens: 1 } }],
    ['usage below zero', { text: 'x', usage: { inputTokens: -1e6, outputTokens: 1 } }],
    ['an artifact of nothing', { text: 'x', artifacts: [{ parts: [] }] }],
    ['a part of nothing', { text: 'x', artifacts: [{ parts: [{} as never] }] }],
  ])('answering %s, is told so and asked again; that costs a round', async (_what, answer) => {
    const { model, ran, task, taskId, world } = await run(answer, { text: 'sorry', usage: good });
    expect(task.status).toMatchObject({
      state: 'COMPLETED',
      message: { parts: [{ text: 'sorry' }] },
    });
    expect(model.seen[1]).toMatchObject({ role: 'notice' });
    expect(ran).toEqual([]);
    expect((await rowOf(world, taskId)).spent).toMatchObject({ rounds: 2, tokens: 2 });
  });

  it('answering nothing but that ends after its rounds, with a reason that names them', async () => {
    const { model, task } = await run(...Array.from({ length: 50 }, () => null));
    expect(model.calls).toBe(20);
    expect(task).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'ROUNDS_EXCEEDED' },
    });
  });

  it('calling everything by one id has each call answered once', async () => {
    const calls = [1, 2, 3].map(() => ({ ...look, id: 'same' }));
    const { model, ran, task } = await run({ calls }, { calls });
    expect(task.status.state).toBe('COMPLETED');
    expect(ran).toHaveLength(6);
    const ids = model.seen.flatMap((entry) => (entry.role === 'tool' ? [entry.callId] : []));
    expect(new Set(ids).size).toBe(6);
  });

  it.each<[string, () => never]>([
    ['an error', () => raise(new Error('secret internals of the provider'))],
    ['a TaskFailed', () => raise(new TaskFailed('words that are none of the client'))],
    ['what is no error', () => raise('secret')],
  ])('throwing %s ends the run, and its words go nowhere', async (_what, answer) => {
    const { task } = await run(answer);
    expect(task).toMatchObject({
      status: { state: 'FAILED', message: { parts: [{ text: 'The agent failed.' }] } },
      metadata: { reason: 'AGENT_FAILED' },
    });
  });

  it('meeting a passing fault is asked again by another segment, with all that was committed', async () => {
    let asked = 0;
    const { model, ran, task, world, taskId } = await run({ calls: [look] }, () => {
      asked += 1;
      if (asked === 1) throw new RetryLater('busy', { delay: 1_000 });
      return { text: 'there' };
    });
    expect(task.status.state).toBe('WORKING');
    await world.clock.advance(1_001);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran).toHaveLength(1);
    expect(model.calls).toBe(3);
  });

  it('meeting one every time ends after its attempts', async () => {
    const { model, world, taskId } = await run(() => raise(new RetryLater('busy', { delay: 1 })));
    for (let round = 0; round < 5; round += 1) {
      await world.clock.advance(2);
      await finish(world);
    }
    expect(model.calls).toBe(4);
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'ATTEMPTS_EXHAUSTED' });
  });

  it('saying nothing at all completes with nothing', async () => {
    const { task } = await run({});
    expect(task).toMatchObject({ status: { state: 'COMPLETED' }, artifacts: [] });
  });

  it('changing what it was shown changes nothing that was committed', async () => {
    const { model, task } = await run({ calls: [look] }, ({ transcript }) => {
      const [, turn] = transcript;
      if (turn?.role === 'model') Object.assign(turn, { calls: [], text: 'changed' });
      return { calls: [look] };
    });
    expect(task.status.state).toBe('COMPLETED');
    expect(model.seen[1]).toMatchObject({ calls: [{ name: 'look' }] });
  });
});

function raise(error: unknown): never {
  throw error;
}
