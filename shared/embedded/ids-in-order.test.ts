import { expect, it } from 'vitest';
import { systemIds } from '../system/system-ids.ts';
import { idsInOrder } from './ids-in-order.ts';

it('makes UUIDs of version 7, which sort by their time and never repeat', () => {
  let now = Date.UTC(2026, 10, 30);
  const ids = idsInOrder(systemIds(), { now: () => now });
  const made = Array.from({ length: 1_000 }, () => {
    now += 1;
    return ids.uuid();
  });
  expect(made.toSorted()).toEqual(made);
  for (const id of made)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/v);
  expect(Number.parseInt(made[0]?.replaceAll('-', '').slice(0, 12) ?? '', 16)).toBe(
    Date.UTC(2026, 10, 30) + 1,
  );
  const together = new Set(Array.from({ length: 10_000 }, () => ids.uuid()));
  expect(together.size).toBe(10_000);
});
