import { expect, it } from 'vitest';
import { durationOf, timeOf } from './duration.ts';

it.each([
  [1_500, 1_500],
  ['250 ms', 250],
  ['30s', 30_000],
  ['5 m', 300_000],
  ['5 min', 300_000],
  ['2 h', 7_200_000],
  ['1.5 d', 129_600_000],
  ['1w', 604_800_000],
])('%s is %d milliseconds', (span, milliseconds) => {
  expect(durationOf(span)).toBe(milliseconds);
});

it.each(['soon', '', '5 x', '-1 s', '400 d', Number.NaN, -1])('%s is no span', (span) => {
  expect(() => durationOf(span)).toThrow('366 days at most');
});

it('a time is at most a year ahead', () => {
  expect(timeOf(new Date(2_000), 1_000)).toBe(2_000);
  expect(() => timeOf(400 * 86_400_000, 0)).toThrow('366 days ahead');
  expect(() => timeOf(new Date('no'), 0)).toThrow('366 days ahead');
});
