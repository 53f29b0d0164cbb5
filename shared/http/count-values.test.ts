import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countValues } from './count-values.ts';

const count = (text: string): number => countValues(Buffer.from(text));

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + valuesIn(each), 1);
}

test('no JSON holds more values than are counted, and at most twice as few', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, space) => {
      const counted = count(JSON.stringify(value, undefined, space));
      const values = valuesIn(value);
      expect(counted).toBeGreaterThanOrEqual(values);
      expect(counted).toBeLessThanOrEqual(2 * values);
    }),
  );
});

test.each([
  ['1', 1],
  ['"a,b[{"', 1],
  ['"a\\",[\\\\",1', 2],
  ['["\\\\\\"",[]]', 4],
  ['{"a,b":[1,2,3]}', 5],
  ['"never ends,,,', 1],
  ['', 1],
])('of %s: %i', (text, values) => {
  expect(count(text)).toBe(values);
});
