import { describe, expect, it } from 'vitest';
import {
  type InstructionsContext,
  type Instructions,
  RetryLater,
  TaskFailed,
} from '../../shared/agent/index.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const choose = { calls: [call('choose', { at: 'a' })] };
const ada = { owner: 'ada', tenant: 'acme', authenticated: true };

function told(instructions: Instructions, ...script: readonly Scripted[]) {
  const model = new ScriptedModel(...script);
  const agent = modelAgent(model, [], { instructions });
  return { agent, model, world: new World(agent, { caller: ada }) };
}

describe('instructions that are a function', () => {
  it('know who calls, the context, the message and what came beside it', async () => {
    const seen: InstructionsContext[] = [];
    const { model, world } = told(async (about) => {
      seen.push(about);
      return `Serve ${about.caller.owner} of ${about.caller.tenant}.`;
    });
    const { taskId } = await world.send('go', {
      contextId: 'talk',
      beside: { metadata: { tone: 'warm' } },
    });
    await finish(world);
    expect(model.requests[0]?.instructions).toBe('Serve ada of acme.');
    expect(seen).toEqual([
      expect.objectContaining({
        taskId,
        contextId: 'talk',
        caller: ada,
        request: { metadata: { tone: 'warm' } },
        message: expect.objectContaining({ parts: [{ text: 'go' }] }) as unknown,
      }),
    ]);
  });

  it('are asked once for each run: taken up later, it goes by what they said then', async () => {
    let asked = 0;
    const { agent, model, world } = told(() => `Number ${(asked += 1)}.`, choose);
    const { taskId } = await world.send('go');
    await finish(world);
    const later = new World(agent, { below: world, caller: ada });
    await later.trySend([{ data: { n: 1 } }], { taskId });
    await finish(later);
    expect(await later.state(taskId)).toBe('COMPLETED');
    expect(model.requests.map(({ instructions }) => instructions)).toEqual([
      'Number 1.',
      'Number 1.',
    ]);
  });

  it.each<[string, () => string, string]>([
    ['an error', () => raise(new Error('no such customer')), 'The agent failed.'],
    ['TaskFailed', () => raise(new TaskFailed('You are no customer.')), 'You are no customer.'],
    ['no string', () => 5 as never, 'The agent failed.'],
  ])('that throw or give %s end the run, and their author is told', async (_what, code, words) => {
    const { model, world } = told(code);
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED', message: { parts: [{ text: words }] } },
      metadata: { reason: 'AGENT_FAILED' },
    });
    expect(model.calls).toBe(0);
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        event: 'agent error',
        fields: expect.objectContaining({ where: 'agent' }) as unknown,
      }),
    );
  });

  it('that throw RetryLater are asked again, and no worker waits', async () => {
    const left = [new RetryLater('not yet', { delay: 5_000 })];
    const { world } = told(() => {
      const error = left.pop();
      if (error !== undefined) throw error;
      return 'Now.';
    });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'queued', attempts: 1, steps: 0 });
    await world.clock.advance(5_000);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

function raise(error: Error): never {
  throw error;
}
