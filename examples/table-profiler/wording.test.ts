import { expect, it } from 'vitest';
import { clipped, counted, lined, percent, sentence, shortNumber } from './wording.ts';

it('counts are grouped, and one is singular', () => {
  expect([0, 1, 1234567].map((count) => counted(count, 'row'))).toEqual([
    '0 rows',
    '1 row',
    '1,234,567 rows',
  ]);
});

it('a share never rounds something to nothing, nor nearly all to all', () => {
  const shares = [
    [0, 5, '0%'],
    [1, 100_000, '<0.1%'],
    [1, 30, '3.3%'],
    [37, 100, '37%'],
    [9_997, 10_000, '>99.9%'],
    [997, 1_000, '99%'],
    [5, 5, '100%'],
  ] as const;
  for (const [part, whole, words] of shares) expect(percent(part, whole)).toBe(words);
});

it('numbers have at most six significant digits, integers all', () => {
  const numbers = [0, 1234567, -1234.5, 0.1 + 0.2, 23.46512, -0.5, 2e-7, 3.2e20];
  const words = ['0', '1,234,567', '-1,234.5', '0.3', '23.4651', '-0.5', '2E-7', '3.2E20'];
  expect(numbers.map(shortNumber)).toEqual(words);
});

it('text is cut between what a reader calls characters', () => {
  expect(clipped('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧…');
  expect(clipped(' two\n lines ', 20)).toBe('two lines');
});

it('of many lines the first are told', () => {
  const at = (...lines: number[]): string =>
    sentence(
      lined(
        'x',
        lines.map((line) => ({ line })),
      ),
    );
  expect([at(3), at(3, 7), at(1, 2, 3, 4, 5, 6)]).toEqual([
    'x (line 3).',
    'x (lines 3, 7).',
    'x (lines 1, 2, 3, 4, 5 …).',
  ]);
});
