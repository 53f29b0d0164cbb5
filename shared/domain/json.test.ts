import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, isTooDeep, type Json, MAX_DEPTH } from './json.ts';

test('canonical JSON is that of RFC 8785', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(canonicalJson(value as Json)).toBe(canonicalize(value));
    }),
    { seed: 8_785 },
  );
});

test('names are ordered by their UTF-16 code units, numbers written as ECMAScript does', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
    numbers: [1e21, 0.000001, 1e30, 4.5, 2e-3, 1e-27, -0],
  };
  expect(canonicalJson(value)).toBe(canonicalize(value));
  expect(canonicalJson(value.numbers)).toBe('[1e+21,0.000001,1e+30,4.5,0.002,1e-27,0]');
});

test('what is not there is null, and no member of an object', () => {
  expect(canonicalJson(undefined)).toBe('null');
  expect(canonicalJson(null)).toBe('null');
  expect(canonicalJson({ a: undefined, b: 1 } as unknown as Json)).toBe('{"b":1}');
});

test('a value is too deep one level beyond the most, in arrays and objects, however wide it is', () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
    levels === 0 ? 1 : wrap(nested(levels - 1, wrap));
  for (const wrap of [
    (inner: unknown) => [inner],
    (inner: unknown) => ({ inner }),
    (inner: unknown) => [null, 'x', inner, {}],
  ]) {
    expect(isTooDeep(nested(MAX_DEPTH - 1, wrap))).toBe(false);
    expect(isTooDeep(nested(MAX_DEPTH + 1, wrap))).toBe(true);
  }
  expect(isTooDeep(nested(MAX_DEPTH, (inner) => [inner]))).toBe(false);
  expect(isTooDeep(Array.from({ length: 200 }, () => []))).toBe(false);
});
