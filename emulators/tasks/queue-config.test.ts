import { expect, test } from 'vitest';
import { backoffAfter, DEFAULTS, isExhausted } from './queue-config.ts';

const second = 1_000;

test("the pauses are those of the proto's example", () => {
  const config = {
    ...DEFAULTS,
    minBackoff: 10 * second,
    maxBackoff: 300 * second,
    maxDoublings: 3,
  };
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(
    (attempts) => backoffAfter(config, attempts) / second,
  );
  expect(pauses).toEqual([10, 20, 40, 80, 160, 240, 300, 300]);
});

test('attempts end when both limits are passed, and never where they are unlimited', () => {
  const both = { ...DEFAULTS, maxAttempts: 3, maxRetryDuration: 60 * second };
  expect(isExhausted(both, 3, 59 * second)).toBe(false);
  expect(isExhausted(both, 2, 61 * second)).toBe(false);
  expect(isExhausted(both, 3, 60 * second)).toBe(true);
  expect(isExhausted({ ...both, maxAttempts: -1 }, 1_000, 3_600 * second)).toBe(false);
  expect(isExhausted({ ...both, maxRetryDuration: 0 }, 3, 0)).toBe(true);
});
