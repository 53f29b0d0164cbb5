import { expect, test } from 'vitest';
import type { Trail } from '../wire.ts';
import { lastOf, withPages } from './trail-pages.ts';

const page = (from: number, to: number, next?: number): Trail => ({
  run: 'r',
  agent: 'a',
  open: true,
  level: 'full',
  errors: [],
  steps: Array.from({ length: to - from + 1 }, (_, at) => ({
    n: from + at,
    segment: 1,
    kind: 'turn',
    at: '2026-11-30T16:00:00.000Z',
  })),
  ...(next !== undefined && { next }),
});

test('pages of a trail are one list of steps, each once, which ends where the last page did', () => {
  const first = page(1, 200, 201);
  const whole = withPages(first, [page(201, 400, 401), page(400, 401)]);
  expect(whole.steps.map(({ n }) => n)).toEqual(Array.from({ length: 401 }, (_, at) => at + 1));
  expect(whole).not.toHaveProperty('next');
  expect(withPages(first, [])).toEqual(first);
  expect(lastOf(whole)).toBe(401);
  expect(lastOf(undefined)).toBe(0);
});
