import { expect, it } from 'vitest';
import { createWorld } from 'holdfast/testing';
import agent from './agent.ts';

it('reports each night once, and sleeps in between', async () => {
  const world = createWorld({ agents: [agent] });
  const { state, taskId } = await world.send('The harbour');
  expect(state).toBe('WORKING');
  await world.advance('2 d');
  expect((await world.get(taskId)).artifacts).toHaveLength(2);
  const task = await world.settled(taskId);
  expect(task.state).toBe('COMPLETED');
  expect(task.artifacts.map(({ name }) => name)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((night) => `Night ${night}`),
  );
  await world.close();
});
