import { expect, test } from 'vitest';
import { memorySealer } from '../../testing/memory-sealer.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { createKeyRing } from './key-ring.ts';

const LIFE = 1_000;

function ring(capacity = 10) {
  const below = memorySealer(seededIds(1));
  const clock = new VirtualClock();
  let calls = 0;
  const sealer = {
    ...below,
    unwrap: (wrapped: Uint8Array, owner: string) => {
      calls += 1;
      return below.unwrap(wrapped, owner);
    },
  };
  return {
    clock,
    calls: () => calls,
    keys: createKeyRing(sealer, clock, { capacity, life: LIFE }),
  };
}

test('a key that was opened is held for its time, and then opened anew', async () => {
  const { calls, clock, keys } = ring();
  const { keys: created, wrapped } = await keys.create('r');
  expect(await keys.unwrap('r', wrapped)).toBe(created);
  await clock.advance(LIFE - 1);
  expect(await keys.unwrap('r', wrapped)).toBe(created);
  expect(calls()).toBe(0);
  await clock.advance(1);
  const again = await keys.unwrap('r', wrapped);
  expect(again).not.toBe(created);
  expect(again.mac('receipts', 'x')).toEqual(created.mac('receipts', 'x'));
  expect(calls()).toBe(1);
});

test('a key that is forgotten, or replaced by a new one of its run, is held no more', async () => {
  const { calls, keys } = ring();
  const { wrapped } = await keys.create('r');
  keys.forget('r');
  await keys.unwrap('r', wrapped);
  expect(calls()).toBe(1);
  const { keys: fresh, wrapped: newer } = await keys.create('r');
  expect(await keys.unwrap('r', newer)).toBe(fresh);
  await keys.unwrap('r', wrapped);
  expect(calls()).toBe(2);
});

test('a key that is held for one run opens for no other', async () => {
  const { keys } = ring();
  const { wrapped } = await keys.create('r');
  await expect(keys.unwrap('s', wrapped)).rejects.toThrow("can't be read");
});

test('no more keys are held than may be, the oldest go first', async () => {
  const { calls, keys } = ring(2);
  const made = [];
  for (const task of ['a', 'b', 'c']) made.push({ task, ...(await keys.create(task)) });
  for (const { task, wrapped } of made.toReversed()) await keys.unwrap(task, wrapped);
  expect(calls()).toBe(1);
});

test('what a purge leaves in the place of a key is unreadable, without a call', async () => {
  const { calls, keys } = ring();
  await expect(keys.unwrap('r', new Uint8Array())).rejects.toMatchObject({ name: 'Unreadable' });
  expect(calls()).toBe(0);
});
