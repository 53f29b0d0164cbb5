import { beforeEach, expect, it } from 'vitest';
import { createWorld, everyCrash, type World } from 'holdfast/testing';
import agent from './agent.ts';
import { books } from './books.ts';

beforeEach(() => books.clear());

async function ordered(
  item: string,
  count: number,
  decision: 'approve' | 'deny' = 'approve',
  world: World = createWorld({ agents: [agent] }),
): Promise<string> {
  const { taskId } = await world.send([{ data: { item, count } }]);
  if ((await world.get(taskId)).state === 'AUTH_REQUIRED') await world.operator[decision](taskId);
  const { reason, state, text } = await world.settled(taskId);
  return `${state}: ${reason || text}`;
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
  expect(await ordered('desk', 100)).toContain('Shipped 100 of desk');
});

it('what can not be paid is given back', async () => {
  expect(await ordered('wardrobe', 1_000)).toBe(
    'COMPLETED: The payment was refused; the goods were given back.',
  );
  expect([books.reserved.size, books.shipped.size]).toEqual([0, 0]);
});

it('an invoice is waited for, and its customer says where the parcel goes', async () => {
  const world = createWorld({ agents: [agent] });
  const { taskId } = await world.send([{ data: { item: 'lamp', count: 3, invoice: true } }]);
  await world.advance('5 d');
  // The customer speaks before it is asked, and the bank says it twice.
  expect((await world.event(taskId, 'place', 'the shop')).state).toBe('WORKING');
  await world.operator.event(taskId, 'paid', { reference: 'P-7' }, 'transfer-7');
  await world.operator.event(taskId, 'paid', { reference: 'P-7' }, 'transfer-7');
  expect((await world.settled(taskId)).text).toBe('Shipped 3 of lamp to the shop: parcel P-1.');
  expect([...books.charged]).toEqual([['P-7', 60]]);
});

it('an invoice that is not paid in time costs the customer the goods, who can not say it is', async () => {
  const world = createWorld({ agents: [agent] });
  const { taskId } = await world.send([{ data: { item: 'lamp', count: 3, invoice: true } }]);
  await expect(world.event(taskId, 'paid', { reference: 'P-7' })).rejects.toThrow('it takes place');
  await world.advance('14 d');
  expect((await world.settled(taskId)).text).toContain('The invoice was not paid');
  expect(books.reserved.size).toBe(0);
});

it('an order that came to nothing is tried once more with other words, from its first step on', async () => {
  const world = createWorld({ agents: [agent] });
  const { taskId } = await world.send([{ data: { item: 'wardrobe', count: 1_000 } }]);
  await world.operator.approve(taskId);
  expect((await world.settled(taskId)).text).toContain('The payment was refused');
  const words = [{ data: { item: 'wardrobe', count: 2 } }];
  const from = { from: 1, words };
  await expect(world.operator.fork(taskId, from)).rejects.toThrow(
    'charge (3, step 7, once, it ran)',
  );
  // The operator has looked: the card was refused, and the yes was to another order.
  const again = await world.operator.fork(taskId, { ...from, again: ['2', '3'] });
  expect((await world.settled(again)).text).toContain('Shipped 2 of wardrobe');
  expect([...books.charged.values()]).toEqual([80]);
});

it('words are asked about', async () => {
  const world = createWorld({ agents: [agent] });
  const { state, taskId } = await world.send('a lamp, please');
  expect(state).toBe('INPUT_REQUIRED');
  await world.answer(taskId, { data: { item: 'lamp', count: 1 } });
  expect([...books.charged.values()]).toEqual([20]);
});

it('is charged once at most, wherever a process is lost', async () => {
  const ends = new Set<string>();
  const { repeated } = await everyCrash(
    () => {
      books.clear();
      return { agents: [agent] };
    },
    async (world) => {
      const end = await ordered('lamp', 100, 'approve', world);
      ends.add(end);
      // Whether it was charged is not known of one that failed.
      expect(books.charged.size).toBeLessThanOrEqual(1);
      if (end.startsWith('COMPLETED')) expect(books.charged.size).toBe(1);
    },
  );
  expect(repeated.map(({ effect, name }) => `${name} ${effect}`).toSorted()).toEqual([
    'reserve idempotent',
    'ship idempotent',
  ]);
  expect(ends).toEqual(
    new Set(['COMPLETED: Shipped 100 of lamp: parcel P-1.', 'FAILED: EFFECT_UNKNOWN']),
  );
});
