import { createWorld } from 'holdfast/testing';
import { expect, it } from 'vitest';
import agent from './agent.ts';

it('shows what a pattern finds', async () => {
  const world = createWorld({ agents: [agent] });
  const { artifacts, text } = await world.send([
    { data: { pattern: '[aeiou]', text: 'lamp, chair' } },
  ]);
  expect([text, artifacts[0]?.parts]).toEqual(['3 found.', [{ data: ['a', 'a', 'i'] }]]);
});

it('asks where there is no pattern, or none that can be read', async () => {
  const world = createWorld({ agents: [agent] });
  const { taskId, text } = await world.send('hello');
  expect(text).toBe('Which pattern, on which text?');
  const again = await world.answer(taskId, { data: { pattern: '(', text: 'x' } });
  expect(again.state).toBe('INPUT_REQUIRED');
  expect(again.text).toMatch(/^Invalid regular expression: .*\. Another one\?$/);
  const done = await world.answer(taskId, { data: { pattern: 'x', text: 'x' } });
  expect(done.text).toBe('1 found.');
});
