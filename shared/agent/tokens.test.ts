import { expect, test } from 'vitest';
import { shortened, tokensIn, within } from './tokens.ts';

test('an estimate is rather too high: three bytes of UTF-8 a token', () => {
  expect(tokensIn('')).toBe(0);
  expect(tokensIn('four')).toBe(2);
  expect(tokensIn('日本語')).toBe(3);
});

test('a text is shortened between characters, and says by how much', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('abcdef', 2)).toBe('ab [… 4 more characters]');
  expect(shortened('a😀b', 2)).toBe('a [… 3 more characters]');
});

test('a text is shortened to so many tokens, whatever its characters are', () => {
  expect(within('abc', 1)).toBe('abc');
  expect(within('abcdefghi', 2)).toBe('abcdef [… 3 more characters]');
  expect(within('日本語', 2)).toBe('日本 [… 1 more characters]');
  expect(within('a日本語', 2)).toBe('a日 [… 2 more characters]');
  expect(within('abc', 0)).toBe(' [… 3 more characters]');
});
