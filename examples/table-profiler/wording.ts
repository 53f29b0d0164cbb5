import type { Note } from './table.ts';

const SHORT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });
const TINY = new Intl.NumberFormat('en-US', { notation: 'scientific', maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat('en-US');

/** A number for people: at most six significant digits, integers whole. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return TINY.format(value);
  return (Number.isInteger(value) ? WHOLE : SHORT).format(value);
}

/** `1 row`, `1,200 rows`. */
export function counted(value: number, noun: string): string {
  return `${WHOLE.format(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A share that never rounds something to nothing, nor nearly all to all. */
export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  if (share > 0 && share < 0.1) return '<0.1%';
  if (share > 99.9 && share < 100) return '>99.9%';
  return `${share > 0 && share < 10 ? share.toFixed(1) : share > 99 ? Math.floor(share) : Math.round(share)}%`;
}

/** The text on one line and at most `length` characters long. */
export function clipped(text: string, length: number): string {
  // Slicing first keeps a huge cell from being spread into characters.
  const line = text
    .slice(0, 16 * length)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(new Intl.Segmenter('en').segment(line), ({ segment }) => segment);
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join('')}…`;
}

/** A note with the lines of what it is about; of many the first ones. */
export function lined(message: string, rows: readonly { readonly line: number }[]): Note {
  const lines = rows.slice(0, 6).map(({ line }) => line);
  return { message, lines: lines.toSorted((a, b) => a - b) };
}

/** The note as a sentence: `… (lines 3, 7).` */
export function sentence({ message, lines = [] }: Note): string {
  if (lines.length === 0) return `${message}.`;
  const shown = `${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ' …' : ''}`;
  return `${message} (line${lines.length === 1 ? '' : 's'} ${shown}).`;
}
