import { expect, test } from 'vitest';
import { backoff } from './backoff.ts';

const after = (failures: readonly number[], of: Parameters<typeof backoff>[0]) =>
  failures.map((count) => backoff(of, count));

test('each pause is twice the one before, up to the longest', () => {
  expect(after([1, 2, 3, 4, 5], { first: 30, most: 200 })).toEqual([30, 60, 120, 200, 200]);
});

test('the growth can be another, and the longest be absent', () => {
  expect(after([1, 2, 3], { first: 16, growth: 1.5 })).toEqual([16, 24, 36]);
});

test('no number of failures makes it anything but a span', () => {
  expect(after([0, 1_000, Number.MAX_SAFE_INTEGER], { first: 5, most: 50 })).toEqual([5, 50, 50]);
  expect(after([2_000], { first: 0, most: 50 })).toEqual([0]);
});
