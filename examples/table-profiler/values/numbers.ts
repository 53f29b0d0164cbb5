/** How a file writes decimals. One file has one style: it is decided from all its cells, not cell by cell. */
export type DecimalStyle = 'point' | 'comma';

export type NumberReading = {
  readonly value: number;
  readonly integer: boolean;
  /** The cell used thousands separators. */
  readonly grouped: boolean;
};

// Beyond 15 digits a double no longer holds each integer, so such a cell is a code, not a quantity.
const INTEGER = /^[+-]?(?:0|[1-9]\d{0,14})$/;
const DECIMAL = {
  point: /^[+-]?(?:(?:0|[1-9]\d*)\.\d+|\.\d+)(?:[eE][+-]?\d{1,3})?$/,
  comma: /^[+-]?(?:(?:0|[1-9]\d*),\d+|,\d+)(?:[eE][+-]?\d{1,3})?$/,
};
// Groups of exactly three digits with one separator throughout; anything looser also fits telephone numbers and codes.
const GROUPED = {
  point: /^[+-]?[1-9]\d{0,2}(?:([,'’\u00a0\u202f])\d{3})(?:\1\d{3}){0,3}(?:\.\d+)?$/,
  comma: /^[+-]?[1-9]\d{0,2}(?:([.'’ \u00a0\u202f])\d{3})(?:\1\d{3}){0,3}(?:,\d+)?$/,
};

/** Reads a cell as a number, or says undefined. Leading zeros, currency and percent signs make it something else. */
export function readNumber(cell: string, style: DecimalStyle): NumberReading | undefined {
  const text = cell.replace(/^\u2212/, '-');
  if (INTEGER.test(text)) return reading(text, true, false);
  if (DECIMAL[style].test(text)) return reading(text.replace(',', '.'), false, false);
  if (!GROUPED[style].test(text)) return undefined;
  const [whole = '', fraction] = text.split(style === 'point' ? '.' : ',');
  const digits = whole.replace(/[^\d+-]/g, '');
  return reading(
    fraction === undefined ? digits : `${digits}.${fraction}`,
    fraction === undefined,
    true,
  );
}

function reading(text: string, integer: boolean, grouped: boolean): NumberReading | undefined {
  const value = Number(text);
  // Minus zero would be told apart from zero where it must not be.
  return Number.isFinite(value) ? { value: value === 0 ? 0 : value, integer, grouped } : undefined;
}

/** A code such as `00742`: as a number it would lose its zeros. */
export function hasLeadingZero(cell: string): boolean {
  return /^0\d+$/.test(cell);
}

/** A code of more digits than a number can hold exactly. */
export function hasManyDigits(cell: string): boolean {
  return /^\d{16,}$/.test(cell);
}

/** `1,5` or `12,75`: a decimal comma, which can't be a thousands separator. */
export function hasDecimalComma(cell: string): boolean {
  return /^[+-]?\d+,\d+$/.test(cell) && !GROUPED.point.test(cell);
}

/**
 * Decides the style from the cells of a whole table. Only what can't be read in the other style counts (`1,5`, but not
 * `1,234`); where nothing else speaks, the doubtful ones do.
 */
export function decimalStyle(cells: Iterable<string>): DecimalStyle {
  const sure = { point: 0, comma: 0 };
  const doubtful = { point: 0, comma: 0 };
  for (const cell of cells) {
    const match = /^[+-]?(\d+)((?:[.,]\d{3})*)([.,])(\d+)$/.exec(cell);
    if (match === null) continue;
    const [, whole = '', groups = '', separator, last = ''] = match;
    const style = separator === ',' ? 'comma' : 'point';
    if (groups.includes(separator ?? '')) continue;
    const isDoubtful = groups === '' && last.length === 3 && whole.length <= 3 && whole !== '0';
    (isDoubtful ? doubtful : sure)[style] += 1;
  }
  const votes = sure.point === sure.comma ? doubtful : sure;
  return votes.comma > votes.point ? 'comma' : 'point';
}
