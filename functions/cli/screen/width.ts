import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ASCII = /^[ -~]*$/;

/** What a reader takes for one character, each. */
export const charactersOf = (text: string): readonly string[] =>
  ASCII.test(text) ? text.split('') : Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Columns of a terminal: two for CJK and emoji, none for what combines. No control characters. */
export const widthOf = (text: string): number =>
  ASCII.test(text) ? text.length : stringWidth(text);

export const padded = (text: string, columns: number, right = false): string => {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return right ? space + text : text + space;
};

/** The same, or its beginning with an ellipsis: no wider than that. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const [first = ''] = pieces(text, Math.max(1, columns - 1));
  return widthOf(first) < columns ? `${first.trimEnd()}…` : '…';
}

/** Parts of a text, none wider than that, in order; nothing is left out. */
export function pieces(text: string, columns: number): readonly string[] {
  const found: string[] = [];
  let [piece, width] = ['', 0];
  for (const character of charactersOf(text)) {
    const wide = widthOf(character);
    if (piece !== '' && width + wide > columns) {
      found.push(piece);
      [piece, width] = ['', 0];
    }
    piece += character;
    width += wide;
  }
  return piece === '' && found.length > 0 ? found : [...found, piece];
}

/**
 * Lines no wider than that, broken at spaces; only a word that no line could hold is broken itself.
 * The lines after the first may be narrower, by `hanging`.
 */
export function wrapped(text: string, columns: number, hanging = 0): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const room = () => (lines.length === 0 ? columns : columns - hanging);
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= room()) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = pieces(word, Math.max(1, room()));
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1) ?? '';
  }
  return [...lines, line];
}
