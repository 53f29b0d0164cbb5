import { expect, it } from 'vitest';
import { answered } from '../../test/models/asking.ts';
import { decide, everythingGranted, heldOf } from '../../test/app/turn-loop-world.ts';
import { World } from '../../test/app/world.ts';
import { gemini } from '../../test/doubles/providers/gemini.ts';
import { ProviderServer } from '../../test/doubles/providers/provider-server.ts';
import { assistantWith } from './agent.ts';
import { modelOf } from './model.ts';
import { rules } from './rules.ts';

it('with a key the assistant is Gemini: it asks, waits for the approval, and pays', async () => {
  const server = new ProviderServer(gemini, [
    { thought: 'No amount.', calls: [{ name: 'amount', input: { to: 'Ada' } }] },
    { thought: 'Now I can.', calls: [{ name: 'pay', input: { to: 'Ada', euros: 12 } }] },
    { text: 'Ada got 12 euros.' },
  ]);
  try {
    const agent = assistantWith(modelOf('test-key', await server.start()));
    const world = new World(agent, { grants: everythingGranted });
    const { taskId } = await world.send('pay Ada');
    await answered(world, taskId);
    expect((await world.get(taskId)).status).toMatchObject({ state: 'INPUT_REQUIRED' });
    await decide(world, taskId, 'input', { euros: 12 });
    await answered(world, taskId);
    expect(await heldOf(world, taskId)).toMatchObject({
      held: { calls: [{ tool: 'pay', summary: '12 euros to Ada' }] },
    });
    await decide(world, taskId, 'approve');
    await answered(world, taskId);
    expect((await world.get(taskId)).status).toMatchObject({
      state: 'COMPLETED',
      message: { parts: [{ text: 'Ada got 12 euros.' }] },
    });
    expect(server.refused).toEqual([]);
    expect(server.requests[0]?.headers['x-goog-api-key']).toBe('test-key');
  } finally {
    await server.stop();
  }
});

it('without a key it is the page of rules', () => {
  expect(modelOf(undefined)).toBe(rules);
  expect(modelOf('')).toBe(rules);
});
