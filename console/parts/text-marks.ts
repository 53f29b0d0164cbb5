/** A piece of text: as it is, or a character that would change how the text around it looks. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string; readonly name: string };

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'BEL',
  0x08: 'BS',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0xad: 'SHY',
  0x61c: 'ALM',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x2028: 'LS',
  0x2029: 'PS',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
};

/**
 * Controls but tab and line feed, format characters (bidirectional, invisible, tags), separators of
 * lines, and halves of surrogate pairs.
 */
const MARKS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;
const PLAIN = new Set(['\n', '\t']);

/** Text in pieces that show each character which could hide, reorder or end what is beside it. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (PLAIN.has(mark) || joinsEmoji(text, mark, index)) continue;
    // The end of a line as others write it.
    if (mark === '\r' && text[index + 1] === '\n') {
      if (index > from) pieces.push({ kind: 'text', text: text.slice(from, index) });
      from = index + 1;
      continue;
    }
    if (index > from) pieces.push({ kind: 'text', text: text.slice(from, index) });
    pieces.push({ kind: 'mark', text: mark, name: nameOf(mark) });
    from = index + mark.length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** A family of emoji is held together by joiners, and shown as one. */
function joinsEmoji(text: string, mark: string, index: number): boolean {
  if (mark !== '\u200d') return false;
  return (
    /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u.test(text.slice(0, index)) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(index + 1))
  );
}

function nameOf(mark: string): string {
  const code = mark.codePointAt(0) ?? 0;
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
