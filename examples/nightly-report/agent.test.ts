import { expect, it } from 'vitest';
import { finish, rowOf } from '../../test/app/turn-loop-world.ts';
import { World } from '../../test/app/world.ts';
import agent from './agent.ts';

const DAY = 86_400_000;

it('reports each night once, and sleeps in between', async () => {
  const world = new World(agent);
  const { taskId } = await world.send('The harbour');
  await finish(world);
  expect((await rowOf(world, taskId)).status).toBe('queued');
  for (let night = 0; night < 8; night += 1) {
    await world.clock.advance(DAY);
    await finish(world);
  }
  const { artifacts, status } = await world.get(taskId);
  expect(status.state).toBe('COMPLETED');
  expect(artifacts.map(({ name }) => name)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((night) => `Night ${night}`),
  );
});
