import { createWorld, ScriptedModel } from 'holdfast/testing';
import { expect, it } from 'vitest';
import agent, { companionWith, LIMITS } from './agent.ts';

it('remembers what was said in the conversation, and in no other', async () => {
  const world = createWorld({ agents: [agent] });
  const answers = async (words: string, contextId: string, caller = world.as('ada')) => {
    const { artifacts } = await caller.send(words, { contextId });
    return artifacts.map(({ parts }) => parts);
  };
  expect(await answers('Hello, my name is Ada', 'talk')).toEqual([
    [{ text: 'Good to meet you, Ada.' }],
  ]);
  expect(await answers('Who am I?', 'talk')).toEqual([[{ text: 'You are Ada.' }]]);
  const unknown = [[{ text: 'Tell me your name: “My name is Ada.”' }]];
  expect(await answers('Who am I?', 'other-talk')).toEqual(unknown);
  // A context of the same name is another one for each caller.
  expect(await answers('Who am I?', 'talk', world.as('eve'))).toEqual(unknown);
  await world.close();
});

it('shows the answer while it is written, and whole at its end', async () => {
  const slow = companionWith({
    name: 'slow',
    async turn(_request, _signal, { draft }) {
      await draft?.write('Good to ');
      await gate.pass();
      return { text: 'Good to meet you.' };
    },
  });
  const world = createWorld({ agents: [slow] });
  const gate = world.gate();
  const { taskId } = await world.send('Hello');
  await world.advance('1 s');
  const { artifacts, state } = await world.get(taskId);
  expect([state, artifacts[0]?.parts]).toEqual(['WORKING', [{ text: 'Good to ' }]]);
  await gate.open();
  const task = await world.get(taskId);
  expect([task.state, task.artifacts[0]?.parts]).toEqual([
    'COMPLETED',
    [{ text: 'Good to meet you.' }],
  ]);
  await world.close();
});

it('tells the model who is talking to it', async () => {
  const model = new ScriptedModel({ text: 'Hello.' });
  const world = createWorld({ agents: [companionWith(model)] });
  await world.as('ada').send('Hello');
  expect(model.requests[0]?.instructions).toMatch(/^You talk to ada\./);
});

it.each([
  ['tokens', { inputTokens: LIMITS.tokens, outputTokens: 1 }, 'TOKENS_EXCEEDED'],
  ['cost', { inputTokens: 1, outputTokens: 1, cost: LIMITS.cost + 1 }, 'COST_EXCEEDED'],
])('ends a task that uses more %s than it may', async (_limit, usage, reason) => {
  const world = createWorld({
    agents: [companionWith(new ScriptedModel({ text: 'At length.', usage }))],
  });
  expect(await world.send('Hello')).toMatchObject({ state: 'FAILED', reason });
});
