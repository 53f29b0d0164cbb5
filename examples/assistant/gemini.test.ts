import { expect, it } from 'vitest';
import { createWorld } from 'holdfast/testing';
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
    const world = createWorld({ agents: [agent] });
    const { state, taskId } = await world.send('pay Ada');
    expect(state).toBe('INPUT_REQUIRED');
    await world.operator.input(taskId, { euros: 12 });
    expect(await world.operator.inbox()).toMatchObject([
      { kind: 'approval', calls: [{ tool: 'pay', summary: '12 euros to Ada' }] },
    ]);
    await world.operator.approve(taskId);
    const task = await world.get(taskId);
    expect([task.state, task.text]).toEqual(['COMPLETED', 'Ada got 12 euros.']);
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
