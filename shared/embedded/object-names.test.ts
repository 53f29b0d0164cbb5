import { sep } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyPath } from './object-names.ts';

const root = `${sep}root`;
const segments = (name: string) => bodyPath(root, name).split(sep).slice(2);

test.each([
  ['tasks/5b0c9f0e-0c4b-4f3e-9a53-3d1f6b3f3c11/contextId.txt', undefined],
  ['contexts/A.z_0~@=+-/x', undefined],
  ['a:b', 'a%3Ab'],
  ['50%', '50%25'],
  ['end.', 'end%2E'],
  ['con', '%63on'],
  ['Aux.txt', '%41ux.txt'],
  ['console', undefined],
  ['ä', '%C3%A4'],
])('%s lies where a reader expects it', (name, encoded) => {
  expect(segments(name).join('/')).toBe(encoded ?? name);
});

test('no two names share a place, and none is outside the root or too long for a disk', () => {
  const places = new Map<string, string>();
  const segment = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc.string({ minLength: 1, maxLength: 255 }),
    )
    .map((text) => text.replaceAll(/[/\r\n]/g, '%'))
    .filter((text) => text !== '.' && text !== '..' && Buffer.byteLength(text) <= 255);
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (parts) => {
      const name = parts.join('/');
      const path = bodyPath(root, name);
      expect(path.startsWith(root + sep)).toBe(true);
      for (const each of segments(name)) expect(each).toMatch(/^[A-Za-z0-9._~@=+%-]{1,241}$/);
      expect(places.get(path) ?? name).toBe(name);
      places.set(path, name);
    }),
    { numRuns: 2_000 },
  );
});

test('a long segment and its own parts as folders lie apart', () => {
  const long = ':'.repeat(200);
  const [first = '', ...rest] = segments(long);
  expect(first.endsWith('%')).toBe(true);
  expect(segments([first, ...rest].join('/'))).not.toEqual([first, ...rest]);
});
