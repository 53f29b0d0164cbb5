/** An integer with thousands separators, the same on every machine: `1,200`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 row`, `1,200 rows`. */
export function counted(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A share that never rounds something to nothing, nor nearly all to all. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  if (part === whole) return '100%';
  const share = (100 * part) / whole;
  if (share < 0.1) return '<0.1%';
  if (share > 99.9) return '>99.9%';
  return `${share < 10 ? share.toFixed(1) : String(Math.min(99, Math.round(share)))}%`;
}

/** A number for people: at most six significant digits, grouped where it is large. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(2);
  if (Number.isInteger(value)) return (value < 0 ? '-' : '') + grouped(size);
  const digits = Math.min(6, Math.max(0, 5 - Math.floor(Math.log10(size))));
  const [whole = '0', fraction = ''] = size.toFixed(digits).split('.');
  const kept = fraction.replace(/0+$/, '');
  return (value < 0 ? '-' : '') + grouped(Number(whole)) + (kept === '' ? '' : `.${kept}`);
}

/** The text on one line and at most `length` characters long, cut where what a reader calls a character ends. */
export function clipped(text: string, length: number): string {
  // Slicing first keeps a huge cell from being spread into characters.
  const line = text
    .slice(0, 4 * length + 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(SEGMENTS.segment(line), ({ segment }) => segment);
  if (characters.length <= length) return line;
  return `${characters
    .slice(0, length - 1)
    .join('')
    .trimEnd()}…`;
}

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** `lines 3, 7 and 12`; of many, the first ones. */
export function atLines(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).map(grouped);
  if (lines.length > 5) return `lines ${shown.join(', ')} …`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? `line ${last}` : `lines ${shown.join(', ')} and ${last}`;
}
