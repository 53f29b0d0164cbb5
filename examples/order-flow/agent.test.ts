import { beforeEach, expect, it } from 'vitest';
import { isEnded } from '../../shared/domain/run.ts';
import { decide, everythingGranted, finish, rowOf } from '../../test/app/turn-loop-world.ts';
import { World } from '../../test/app/world.ts';
import agent from './agent.ts';
import { books } from './books.ts';

beforeEach(() => books.clear());

async function ordered(item: string, count: number, decision?: 'approve' | 'deny') {
  const world = new World(agent, { grants: everythingGranted });
  const sent = await world.trySend([{ data: { item, count } }]);
  if (sent.kind !== 'accepted') throw new Error('not accepted');
  const { taskId } = sent;
  for (let round = 0; round < 20 && !isEnded(await rowOf(world, taskId)); round += 1) {
    await finish(world);
    const { status } = await rowOf(world, taskId);
    if (status === 'waiting_for_approval') await decide(world, taskId, decision ?? 'approve');
    await world.clock.advance(5_000);
  }
  const { message, state } = (await world.get(taskId)).status;
  return `${state}: ${message?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? ''}`;
}

it('a small order is charged once and shipped, though its carrier is away at first', async () => {
  expect(await ordered('lamp', 3)).toBe('COMPLETED: Shipped 3 of lamp: parcel P-1.');
  expect([...books.charged.values()]).toEqual([60]);
});

it('a large order waits for a person, and is given back where that one declines', async () => {
  expect(await ordered('lamp', 100, 'deny')).toBe(
    'COMPLETED: The order was not approved; nothing was charged.',
  );
  expect([books.reserved.size, books.charged.size]).toEqual([0, 0]);
  expect(await ordered('desk', 100, 'approve')).toContain('Shipped 100 of desk');
});

it('what can not be paid is given back', async () => {
  expect(await ordered('wardrobe', 1_000)).toBe(
    'COMPLETED: The payment was refused; the goods were given back.',
  );
  expect([books.reserved.size, books.shipped.size]).toEqual([0, 0]);
});

it('words are asked about', async () => {
  const world = new World(agent);
  const { taskId } = await world.send('a lamp, please');
  await finish(world);
  expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
  await world.trySend([{ data: { item: 'lamp', count: 1 } }], { taskId });
  await finish(world);
  expect([...books.charged.values()]).toEqual([20]);
});
