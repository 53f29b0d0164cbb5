import { readDate } from '../columns/dates.ts';
import { readNumber } from '../columns/read-number.ts';
import { isMissing } from '../columns/tally.ts';
import type { Row } from '../table.ts';

const SAMPLE_ROWS = 100;

/**
 * Whether the first record names the columns. Where nothing speaks for or against, it does unless
 * it holds values only.
 */
export function isHeader(first: Row, rest: readonly Row[]): boolean {
  const votes = headerVotes(first, rest);
  if (votes !== 0) return votes > 0;
  const names = first.cells.filter((cell) => cell !== '');
  return names.length > 0 && !names.every(isValue);
}

/**
 * How many columns speak for the record as a header, less those that speak against it: a name over
 * values of another kind speaks for it, a number or date over its like against it, and so does a
 * text that recurs below.
 */
export function headerVotes(first: Row, rest: readonly Row[]): number {
  const below = rest.slice(0, SAMPLE_ROWS);
  const votes = first.cells.map((cell, column): number => {
    const values = below
      .map(({ cells }) => cells[column] ?? '')
      .filter((value) => !isMissing(value));
    if (isMissing(cell) || values.length === 0) return 0;
    // Years head the columns of many a wide table, so a year votes only over years.
    if (isValue(cell))
      return values.every(isValue) && (!isYear(cell) || values.some(isYear)) ? -1 : 0;
    if (values.includes(cell)) return -1;
    return values.every(isValue) ? 1 : 0;
  });
  return votes.reduce((a, b) => a + b, 0);
}

/** Whether a cell reads as a number or a date in any style. */
export function isValue(cell: string): boolean {
  return (
    readNumber(cell, 'point') !== undefined ||
    readNumber(cell, 'comma') !== undefined ||
    readDate(cell, 'day-first') !== undefined ||
    readDate(cell, 'month-first') !== undefined
  );
}

function isYear(cell: string): boolean {
  return /^(?:19|20)\d\d$/.test(cell);
}

/**
 * Names that are unique and not empty: what the header lacks is numbered, what it repeats gets a
 * suffix.
 */
export function uniqueNames(given: readonly string[]): readonly string[] {
  const taken = new Set(given.filter((name) => name !== ''));
  const seen = new Set<string>();
  return given.map((name, index) => {
    const numbered = name || `column_${index + 1}`;
    const free = name === '' ? !taken.has(numbered) : !seen.has(name);
    let n = 2;
    while (taken.has(`${numbered}_${n}`)) n += 1;
    const unique = free ? numbered : `${numbered}_${n}`;
    seen.add(unique);
    taken.add(unique);
    return unique;
  });
}
