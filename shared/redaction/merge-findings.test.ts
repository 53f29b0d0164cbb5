import { expect, test } from 'vitest';
import type { Finding, Kind } from './finding.ts';
import { mergeFindings } from './merge-findings.ts';

const at = (kind: Kind, start: number, end: number): Finding => ({ kind, start, end });

test('findings that do not overlap stay apart, in order, also where they touch', () => {
  const [a, b, c] = [at('email', 0, 5), at('phone', 5, 9), at('card', 20, 30)];
  expect(mergeFindings([c, a, b])).toEqual([a, b, c]);
});

test('the longest names what overlaps, whatever the order', () => {
  const [short, long] = [at('phone', 3, 8), at('iban', 0, 22)];
  expect(mergeFindings([short, long])).toEqual([long]);
  expect(mergeFindings([long, short])).toEqual([long]);
});

test('of two of one length the earlier names it', () => {
  expect(mergeFindings([at('card', 2, 12), at('phone', 0, 10)])).toEqual([at('phone', 0, 12)]);
});

test('no end of a shorter one stays behind', () => {
  expect(mergeFindings([at('email', 0, 10), at('secret', 8, 14)])).toEqual([at('email', 0, 14)]);
});
