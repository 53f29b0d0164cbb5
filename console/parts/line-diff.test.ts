import { describe, expect, it } from 'vitest';
import { diffOf } from './line-diff.ts';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const shown = (before: string, after: string): readonly string[] =>
  diffOf(before, after).map(({ kind, text }) => `${SIGNS[kind]}${text}`);

describe('what became of a text', () => {
  it.each([
    ['a line in the middle', 'a\nb\nc\n', 'a\nx\nc\n', [' a', '-b', '+x', ' c']],
    ['what was added and removed', 'a\nb\nc\nd', 'b\nc\ne\nd', ['-a', ' b', ' c', '+e', ' d']],
    ['a new file', '', 'a\nb\n', ['+a', '+b']],
    ['a file that is gone', 'a\n', '', ['-a']],
    ['nothing', 'a\nb', 'a\nb\n', [' a', ' b']],
    ['repeated lines', 'a\na\na', 'a\na', [' a', ' a', '-a']],
  ])('%s', (_, before, after, lines) => {
    expect(shown(before, after)).toEqual(lines);
  });

  it('any two texts: each is what the others leave of the difference', () => {
    const texts = ['', 'a', 'a\nb', 'b\na', 'c\nb\nc\na', 'a\nb\nc\nb\na', 'x\ny'];
    for (const before of texts)
      for (const after of texts) {
        const lines = diffOf(before, after);
        const side = (left: string): string =>
          lines
            .filter(({ kind }) => kind !== left)
            .map(({ text }) => text)
            .join('\n');
        expect([side('added'), side('removed')]).toEqual([before, after]);
      }
  });

  it('what differs too much to be compared is shown as a whole', () => {
    const lines = (word: string): string =>
      Array.from({ length: 1_500 }, (_, at) => `${word}${at}`).join('\n');
    const found = diffOf(lines('a'), lines('b'));
    expect(found.slice(0, 1_500).every(({ kind }) => kind === 'removed')).toBe(true);
    expect(found).toHaveLength(3_000);
  });
});
