/**
 * How a file writes decimals. One file has one style: it is decided from many of its cells, not
 * cell by cell.
 */
export type DecimalStyle = 'point' | 'comma';

const LONGEST = 40;
const SPACES = ' \u00a0\u202f\u2009';
// Beyond 15 digits a double no longer holds each integer, so such a cell is a code, not a quantity.
const INTEGER = /^[+-]?(?:0|[1-9]\d{0,14})$/;
// An exponent behind a whole number has its sign, as programs write it: `1e-05` is a number, `12E4`
// a code.
const DECIMAL = /^[+-]?(?:(?:(?:0|[1-9]\d*)?\.\d+)(?:[eE][+-]?\d{1,3})?|[1-9]\d*[eE][+-]\d{1,3})$/;
// Groups of exactly three digits with one separator throughout; anything looser also fits telephone
// numbers and codes.
const GROUPED = {
  point: new RegExp(`^[+-]?[1-9]\\d{0,2}(?:([,'’${SPACES}])\\d{3})(?:\\1\\d{3}){0,3}(?:\\.\\d+)?$`),
  comma: new RegExp(`^[+-]?[1-9]\\d{0,2}(?:([.'’${SPACES}])\\d{3})(?:\\1\\d{3}){0,3}(?:,\\d+)?$`),
};
const FRACTION = new RegExp(`^[+-]?(\\d+)((?:[.,'’${SPACES}]\\d{3})*)([.,])(\\d+)$`);

/**
 * Reads a cell as a number, or says undefined. Leading zeros, currency and percent signs make it
 * something else.
 */
export function readNumber(cell: string, style: DecimalStyle): number | undefined {
  if (cell.length > LONGEST) return undefined;
  const signed = cell.replace(/^\u2212/, '-');
  const grouped = GROUPED[style].test(signed);
  const plain = grouped
    ? signed.replace(style === 'point' ? /[^\d.+-]/g : /[^\d,+-]/g, '')
    : signed;
  const text = style === 'point' ? plain : plain.replace('.', ' ').replace(',', '.');
  const value = INTEGER.test(text) || DECIMAL.test(text) ? Number(text) : Number.NaN;
  // Minus zero would be told apart from zero where it must not be.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/**
 * Why a cell is a code, such as `00742`: as a number it would lose its zeros, or its last digits.
 */
export function codeOf(cell: string): 'leading zeros' | 'more than 15 digits' | undefined {
  if (/^0\d+$/.test(cell)) return 'leading zeros';
  return /^\d{16,}$/.test(cell) ? 'more than 15 digits' : undefined;
}

/** `1,5` or `1 234,75`: a decimal comma, which can't be a thousands separator. */
export function hasDecimalComma(cell: string): boolean {
  return cell.length <= LONGEST && FRACTION.exec(cell)?.[3] === ',' && !GROUPED.point.test(cell);
}

/**
 * Decides the style from many cells of a table. Only what can't be read in the other style counts
 * (`1,5`, but not `1,234`); where nothing else speaks, the doubtful ones do.
 */
export function decimalStyle(cells: readonly string[]): DecimalStyle {
  const sure = { point: 0, comma: 0 };
  const doubtful = { point: 0, comma: 0 };
  for (const cell of cells) {
    const match = cell.length > LONGEST ? null : FRACTION.exec(cell);
    const [, whole = '', groups = '', separator = '', last = ''] = match ?? [];
    if (match === null || groups.includes(separator)) continue;
    const isDoubtful = groups === '' && last.length === 3 && whole.length <= 3 && whole !== '0';
    (isDoubtful ? doubtful : sure)[separator === ',' ? 'comma' : 'point'] += 1;
  }
  const votes = sure.point === sure.comma ? doubtful : sure;
  return votes.comma > votes.point ? 'comma' : 'point';
}
