import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineAgent, defineTool } from '../../shared/agent/index.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { operator, owner, part, TestGrants } from './deciding.ts';
import { World } from './world.ts';

/** An agent with a model, one tool that needs an approval and one that asks. */
async function modelWorld(...tools: readonly string[]) {
  const ran: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    parameters: z.object({ euros: z.number() }),
    effect: 'once',
    approval: true,
    summary: ({ euros }) => `${euros} euros`,
    run({ euros }) {
      ran.push(euros);
      return 'paid';
    },
  });
  const choose = defineTool({
    name: 'choose',
    description: 'Lets a person choose.',
    parameters: z.object({}),
    effect: 'read',
    input: { question: 'How many?', schema: z.object({ count: z.number().int().min(1) }) },
    run(_args, { input }) {
      ran.push(input);
      return input;
    },
  });
  const calls = tools.map((name) => ({ name, arguments: name === 'pay' ? { euros: 120 } : {} }));
  const model = new ScriptedModel({ calls });
  const agent = defineAgent({
    name: 'payer',
    description: 'Pays.',
    instructions: 'Pay.',
    model,
    tools: [pay, choose],
    publication: { decisions: { owner: true } },
  });
  const world = new World(agent, { grants: new TestGrants() });
  const { taskId } = await world.send('pay');
  await world.work();
  /** A decision about what the task says. */
  const decide = async (kind: Decision['kind'], input?: Decision['input']): Promise<Decision> => {
    const { status } = await world.get(taskId);
    const asked = status.message?.parts.at(-1);
    const data = asked !== undefined && 'data' in asked ? asked.data : null;
    const { digest, pauseGeneration } = z
      .object({ digest: z.string(), pauseGeneration: z.number() })
      .parse(data);
    return { kind, digest, pauseGeneration, ...(input !== undefined && { input }) };
  };
  return { world, taskId, model, ran, decide };
}

const results = (model: ScriptedModel) => model.seen.filter(({ role }) => role === 'tool');

describe('an agent with a model', () => {
  it('carries out what was approved, once, and only then', async () => {
    const { decide, ran, taskId, world } = await modelWorld('pay');
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
    expect(ran).toEqual([]);
    await world.trySend([part(await decide('approve'))], { taskId });
    await world.work();
    expect(ran).toEqual([120]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each([
    ['the owner', 'owner'],
    ['an operator', 'operator'],
  ])('is told that %s declined, and goes on without it', async (_who, by) => {
    const { decide, model, ran, taskId, world } = await modelWorld('pay');
    const decider = by === 'owner' ? owner(world) : operator();
    await storeDecision(world.app, decider, taskId, await decide('deny'));
    await world.work();
    expect(ran).toEqual([]);
    expect(JSON.stringify(results(model))).toContain(by);
    expect(JSON.stringify(results(model))).not.toContain('grace');
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('gets a typed input by a decision, checked before it is stored', async () => {
    const { decide, ran, taskId, world } = await modelWorld('choose');
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    const wrong = storeDecision(world.app, operator(), taskId, await decide('input', { count: 0 }));
    expect(await wrong).toMatchObject({ code: 'INVALID_PARAMS', field: 'input.count' });
    await storeDecision(world.app, operator(), taskId, await decide('input', { count: 3 }));
    await world.work();
    expect(ran).toEqual([{ count: 3 }]);
  });

  it('that waits twice in one turn is decided about twice, each time for the pause at hand', async () => {
    const { decide, ran, taskId, world } = await modelWorld('choose', 'pay');
    const first = await decide('approve');
    await storeDecision(world.app, operator(), taskId, first);
    await world.work();
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    const second = await decide('input', { count: 2 });
    expect(second.pauseGeneration).toBe(2);
    expect(await world.code(storeDecision(world.app, owner(world), taskId, first))).toBe(
      'PAUSE_OVER',
    );
    await storeDecision(world.app, owner(world), taskId, second);
    await world.work();
    expect(ran).toEqual([{ count: 2 }, 120]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    const { metadata } = await world.get(taskId);
    expect(metadata?.['decision']).toMatchObject({ kind: 'input', generation: 2 });
  });
});
