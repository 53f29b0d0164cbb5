import { describe, expect, it } from 'vitest';
import { atLines, clipped, counted, percent, shortNumber } from './wording.ts';

describe('words for numbers', () => {
  it('counts are grouped, and one is singular', () => {
    expect([counted(0, 'row'), counted(1, 'row'), counted(1234567, 'row')]).toEqual([
      '0 rows',
      '1 row',
      '1,234,567 rows',
    ]);
  });

  it('a share never rounds something to nothing, nor nearly all to all', () => {
    const shares = [
      [0, 5],
      [1, 100_000],
      [1, 30],
      [37, 100],
      [9_997, 10_000],
      [99_999, 100_000],
      [5, 5],
    ] as const;
    expect(shares.map(([part, whole]) => percent(part, whole))).toEqual([
      '0%',
      '<0.1%',
      '3.3%',
      '37%',
      '>99.9%',
      '>99.9%',
      '100%',
    ]);
  });

  it('numbers have at most six significant digits', () => {
    const numbers = [0, 1234567, -1234.5, 0.1 + 0.2, 23.46512, -0.5, 2e-7, 3.2e20];
    expect(numbers.map(shortNumber)).toEqual([
      '0',
      '1,234,567',
      '-1,234.5',
      '0.3',
      '23.4651',
      '-0.5',
      '2.00e-7',
      '3.20e+20',
    ]);
  });

  it('text is cut between characters, and lines are listed', () => {
    expect(clipped('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧…');
    expect(clipped(' two\n lines ', 20)).toBe('two lines');
    expect(atLines([3])).toBe('line 3');
    expect(atLines([3, 7, 1200])).toBe('lines 3, 7 and 1,200');
    expect(atLines([1, 2, 3, 4, 5, 6])).toBe('lines 1, 2, 3, 4, 5 …');
  });
});
