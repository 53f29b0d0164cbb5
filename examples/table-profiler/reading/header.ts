import type { Note, Row } from '../table.ts';
import { readDate } from '../values/dates.ts';
import { isMissing } from '../values/missing.ts';
import { readNumber } from '../values/numbers.ts';

const SAMPLE_ROWS = 100;

/**
 * Whether the first record names the columns. A name that stands over values of another kind speaks for it, a number or
 * date over its like against it, and so does a text that recurs below. Where nothing speaks, it is a header unless it holds
 * values only.
 */
export function isHeader(first: Row, rest: readonly Row[]): boolean {
  const below = rest.slice(0, SAMPLE_ROWS);
  const votes = first.cells.map((cell, column) =>
    vote(
      cell,
      below.map(({ cells }) => cells[column] ?? '').filter((value) => !isMissing(value)),
    ),
  );
  const sum = votes.reduce((a, b) => a + b, 0);
  if (sum !== 0) return sum > 0;
  const names = first.cells.filter((cell) => cell !== '');
  return names.length > 0 && !names.every(isValue);
}

/** Years and other numbers head the columns of many a wide table, so a number votes only over values like itself. */
function vote(cell: string, values: readonly string[]): number {
  if (isMissing(cell)) return 0;
  if (isValue(cell)) {
    if (values.length === 0) return 0;
    return isYear(cell) && !values.some(isYear) ? 0 : values.every(isValue) ? -1 : 0;
  }
  if (values.includes(cell)) return -1;
  return values.length > 0 && values.every(isValue) ? 1 : 0;
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

export type ColumnNames = { readonly names: readonly string[]; readonly notes: readonly Note[] };

/** Column names that are unique and not empty: what the header lacks is numbered, what it repeats gets a suffix. */
export function columnNames(header: Row | undefined, width: number): ColumnNames {
  const given = Array.from({ length: width }, (_, index) => oneLine(header?.cells[index] ?? ''));
  const taken = new Set(given);
  const seen = new Set<string>();
  const empty: string[] = [];
  const repeated: string[] = [];
  const names = given.map((name, index) => {
    const free = name !== '' && !seen.has(name);
    const unique = free
      ? name
      : unused(name === '' ? `column_${index + 1}` : name, taken, name === '');
    if (name === '') empty.push(unique);
    else if (!free) repeated.push(unique);
    seen.add(unique);
    taken.add(unique);
    return unique;
  });
  return { names, notes: header === undefined ? [] : nameNotes(header, empty, repeated) };
}

function unused(name: string, taken: ReadonlySet<string>, asIs: boolean): string {
  if (asIs && !taken.has(name)) return name;
  let suffix = 2;
  while (taken.has(`${name}_${suffix}`)) suffix += 1;
  return `${name}_${suffix}`;
}

function nameNotes(header: Row, empty: readonly string[], repeated: readonly string[]): Note[] {
  const notes: Note[] = [];
  const lines = [header.line];
  if (empty.length > 0) {
    const message = `Columns without a name were called ${listed(empty)}.`;
    notes.push({ code: 'empty-name', message, lines });
  }
  if (repeated.length > 0) {
    const message = `Column names that occur more than once were made unique: ${listed(repeated)}.`;
    notes.push({ code: 'repeated-name', message, lines });
  }
  return notes;
}

function listed(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return names.slice(0, 5).join(', ') + more;
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}
