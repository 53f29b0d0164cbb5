import { expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { World } from '../app/world.ts';
import { Team } from './api.ts';
import { apiOver } from './worlds.ts';

const asker = defineAgent({
  name: 'asker',
  description: 'Asks.',
  run: (ctx) => ctx.ask('What next?'),
});

it.each([3, 130])('the status counts %i runs that wait, and names the oldest', async (count) => {
  const world = new World(asker, { grants: new Team(), settings: { shards: 1 } });
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    ids.push((await world.send('go')).taskId);
    await world.work();
    await world.clock.advance(10);
  }
  const api = await apiOver(world);
  expect((await api.get('/status')).body).toMatchObject({
    waiting: { approval: 0, input: count, dependency: 0 },
    blocked: 0,
    oldestWait: { status: 'waiting_for_input', id: ids[0] },
  });
});
