import { describe, expect, it } from 'vitest';
import { piecesOf } from './text-marks.ts';

/** Marks in angle brackets. */
const shown = (text: string): string =>
  piecesOf(text)
    .map((piece) => (piece.kind === 'mark' ? `<${piece.name}>` : piece.text))
    .join('');

describe('text of others', () => {
  it.each([
    ['an escape sequence of a terminal', '\u001b[31mred\u001b[0m', '<ESC>[31mred<ESC>[0m'],
    ['an override of direction', 'pay \u202eada\u202c', 'pay <RLO>ada<PDF>'],
    ['isolates and marks', '\u2066a\u2069\u200f\u061c', '<LRI>a<PDI><RLM><ALM>'],
    ['what is invisible', 'a\u200bb\u2060c\ufeffd\u00ade', 'a<ZWSP>b<WJ>c<BOM>d<SHY>e'],
    ['tag characters', '\u{e0041}x', '<U+E0041>x'],
    ['half of a surrogate pair', 'a\ud800b', 'a<U+D800>b'],
    ['NUL and what ends a line alone', 'a\u0000b\rc\u2028d\u0085e', 'a<NUL>b<CR>c<LS>d<U+0085>e'],
    ['a joiner between letters', 'a\u200db', 'a<ZWJ>b'],
  ])('shows %s', (_, text, marked) => {
    expect(shown(text)).toBe(marked);
  });

  it.each([
    ['lines and tabs', 'a\n\tb', 'a\n\tb'],
    ['lines as Windows ends them', 'a\r\nb', 'a\nb'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    [
      'a family of emoji',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    ],
    ['other scripts', 'שלום مرحبا 你好', 'שלום مرحبا 你好'],
  ])('leaves %s as it is', (_, text, same) => {
    expect(shown(text)).toBe(same);
  });
});
