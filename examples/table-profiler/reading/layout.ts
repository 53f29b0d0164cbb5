import { ask, type Note, type Row, type Said } from '../table.ts';
import { counted, lined } from '../wording.ts';
import { headerVotes, isHeader, uniqueNames } from './header.ts';
import { hasContent } from './records.ts';

const MOST_LINES_BEFORE = 10;

/** The most common number of cells; of equally common ones the larger. */
export function commonWidth(rows: readonly Row[]): number {
  const tally = new Map<number, number>();
  for (const { cells } of rows) tally.set(cells.length, (tally.get(cells.length) ?? 0) + 1);
  const ranked = [...tally].toSorted((a, b) => b[1] - a[1] || b[0] - a[0]);
  return ranked[0]?.[0] ?? 0;
}

/**
 * How many lines stand before the table: titles and remarks, narrower than the table and parted
 * from it by a blank line, by being single cells over at least three columns, or by a #.
 */
export function linesBefore(rows: readonly Row[]): number {
  const head = rows.slice(0, MOST_LINES_BEFORE + 1);
  const width = commonWidth(rows.slice(0, 100));
  const remarks = head.findIndex(({ cells }) => !cells[0]?.startsWith('#'));
  const [first, ...below] = rows.slice(Math.max(0, remarks), 100);
  // A # may also stand before the first name of a header.
  const other = head[0]?.cells.length !== width;
  if (remarks > 0 && first && (other || headerVotes(first, below) > 0)) return remarks;
  const start = head.findIndex((row, index) => {
    const above = rows.slice(0, index);
    const gap = row.line > (above.at(-1)?.line ?? row.line) + 1;
    const parted = gap || (width > 2 && above.every(({ cells }) => cells.length === 1));
    return parted && row.cells.length === width && above.every(({ cells }) => cells.length < width);
  });
  return Math.max(0, start);
}

/**
 * Makes a table of records: what stands before it is left out, blank lines too, and each row gets
 * as many cells as there are columns. In a single column a blank line is a row without a value.
 */
export function layOut(records: readonly Row[], said: Said, single: boolean) {
  const filled = records.filter(hasContent);
  const before = single ? 0 : linesBefore(filled);
  const [first = { line: 1, cells: [] }, ...others] = filled.slice(before);
  const end = filled.at(-1)?.line ?? 0;
  const within = records.filter(({ line }) => line > first.line && line <= end);
  const blank = within.filter((row) => !hasContent(row));
  const hasHeader = said.header ?? isHeader(first, others);
  const body = single ? within : others;
  const guess = { message: 'The first line looks like data, so the columns were numbered' };
  const blankIs = single ? 'Counted as rows without a value' : 'Left out';
  const notes = [
    ...note(filled.slice(0, before), (count) => `Left out: ${count} before the table`, 'line'),
    ...(hasHeader || said.header === false || filled.length === 0 ? [] : [guess]),
    ...note(blank, (count) => `${blankIs}: ${count}`, 'blank line'),
  ];
  if (hasHeader) return fit(first, body, said, notes);
  return fit(undefined, filled.length === 0 ? [] : [first, ...body], said, notes);
}

function fit(
  header: Row | undefined,
  body: readonly Row[],
  { unnamed }: Said,
  notes: readonly Note[],
) {
  const common = commonWidth(body);
  const named = header?.cells.length ?? common;
  const wide = body.filter(({ cells }) => cells.length > named);
  const surplus = wide.some(({ cells }) => cells.slice(named).some((cell) => cell !== ''));
  const lacking = common > named && wide.length > body.length / 2 && surplus;
  if (lacking && unnamed === undefined) {
    const widths = `Its header has ${counted(named, 'name')}, but its rows have ${counted(common, 'cell')}.`;
    const answer = 'Answer "first" if the first columns have no name, as R writes row names,';
    return ask('shape', `${widths} ${answer} or "last" if the last have none.`);
  }
  const width = lacking ? common : named;
  const shift = lacking && unnamed === 'first' ? width - named : 0;
  const given = Array.from({ length: width }, (_, index) => header?.cells[index - shift] ?? '');
  const columns = uniqueNames(given);
  const renamed =
    header === undefined ? [] : columns.filter((name, index) => name !== given[index]);
  const names = `${renamed.slice(0, 5).join(', ')}${renamed.length > 5 ? ' …' : ''}`;
  const short = body.filter(({ cells }) => cells.length < width);
  const long = body.filter(({ cells }) => cells.length > width);
  const cellsOf = ({ cells }: Row): readonly string[] =>
    cells.length === width ? cells : columns.map((_, index) => cells[index] ?? '');
  const what = surplus ? 'the surplus' : 'the empty surplus';
  return {
    kind: 'layout' as const,
    columns,
    rows: body.map((row) => ({ line: row.line, cells: cellsOf(row) })),
    hasHeader: header !== undefined,
    regular: short.length + long.length === 0,
    notes: [
      ...notes,
      ...(renamed.length === 0
        ? []
        : [{ message: `Columns without a name of their own: ${names}` }]),
      ...note(short, (count) => `${count} with fewer than ${width} cells: the missing are empty`),
      ...note(long, (count) => `${count} with more than ${width} cells: ${what} was left out`),
    ],
  };
}

function note(rows: readonly Row[], say: (count: string) => string, noun = 'row'): readonly Note[] {
  return rows.length === 0 ? [] : [lined(say(counted(rows.length, noun)), rows)];
}
