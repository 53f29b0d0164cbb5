import { describe, expect, it } from 'vitest';
import { cut, padded, pieces, widthOf, wrapped } from './width.ts';

describe('the width of a text in a terminal', () => {
  it.each([
    ['plain', 5],
    ['名前', 4],
    ['e\u0301', 1],
    ['👍🏽', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['…', 1],
    ['\ufffd', 1],
  ])('%j takes %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it('is what is cut to, never through a character, with an ellipsis', () => {
    expect(cut('twelve chars', 12)).toBe('twelve chars');
    expect(cut('twelve chars', 11)).toBe('twelve cha…');
    expect(cut('名前名前', 6)).toBe('名前…');
    expect(cut('a👩‍👩‍👧b', 3)).toBe('a…');
    expect(cut('abc', 1)).toBe('…');
    for (let columns = 1; columns < 12; columns += 1)
      expect(widthOf(cut('名a前👍🏽bc名前', columns))).toBeLessThanOrEqual(columns);
  });

  it('is what is filled up', () => {
    expect([padded('名', 4), padded('7', 3, true), padded('long', 2)]).toEqual([
      '名  ',
      '  7',
      'long',
    ]);
  });

  it('parts a text without loss, and breaks lines at spaces', () => {
    expect(pieces('名前abc', 3)).toEqual(['名', '前a', 'bc']);
    expect(pieces('', 3)).toEqual(['']);
    expect(wrapped('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrapped('one two three four', 9, 4)).toEqual(['one two', 'three', 'four']);
    expect(wrapped('unbreakable word', 6)).toEqual(['unbrea', 'kable', 'word']);
  });
});
