import { expect, test } from 'vitest';
import fc from 'fast-check';
import { scaleOf } from './scale.ts';

test('a day of waiting does not hide milliseconds of work, and each stretch is labelled by its time', () => {
  const day = 86_400_000;
  const { place, stretches } = scaleOf([0, 40, day, day + 40]);
  expect(stretches.map(({ from, to }) => to - from)).toEqual([40, day - 40, 40]);
  expect(place(40)).toBeGreaterThan(0.05);
  expect(place(day) - place(40)).toBeLessThan(0.9);
  expect([place(-1), place(0), place(2 * day)]).toEqual([0, 0, 1]);
  expect(place(day + 40)).toBeCloseTo(1);
});

test('what is later is never drawn before', () => {
  const times = fc.array(fc.integer({ min: 0, max: 1e12 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(times, (moments) => {
      const { place } = scaleOf(moments);
      const places = moments.toSorted((a, b) => a - b).map(place);
      for (const [at, each] of places.entries()) {
        expect(each).toBeGreaterThanOrEqual(at === 0 ? 0 : (places[at - 1] ?? 0) - 1e-9);
        expect(each).toBeLessThanOrEqual(1 + 1e-9);
      }
    }),
  );
});

test('a run of one moment has an axis, too', () => {
  expect(scaleOf([5]).place(5)).toBe(0);
  expect(scaleOf([]).place(5)).toBe(0);
});
