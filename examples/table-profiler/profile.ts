import { type ColumnProfile, type Customs, profileColumn } from './columns/column.ts';
import { type DecimalStyle, decimalStyle } from './columns/read-number.ts';
import { Tally } from './columns/tally.ts';
import type { Table } from './table.ts';
import type { Turns } from './turns.ts';

/** How a table was read, and what its columns hold. */
export type TableProfile = Omit<Table, 'rows' | 'columns'> & {
  readonly rows: number;
  readonly missingCells: number;
  readonly decimal: DecimalStyle;
  readonly columns: readonly ColumnProfile[];
};

/** So many cells are looked at to find how decimals are written. */
const SAMPLE_CELLS = 20_000;

/**
 * Profiles each column of a table, in turns. The same table always gives the same profile.
 * `progress` is told of each column that is done.
 */
export async function profileTable(
  { rows, columns: names, ...read }: Table,
  turns: Turns,
  progress?: (done: number) => Promise<void>,
): Promise<TableProfile> {
  const tallies = names.map(() => new Tally());
  await turns.visit(rows, names.length, ({ line, cells }) => {
    for (const [index, tally] of tallies.entries()) tally.add(cells[index] ?? '', line);
  });
  const sample = rows.slice(0, Math.ceil(SAMPLE_CELLS / Math.max(1, names.length)));
  // Where commas part the cells, a decimal comma would need quotes everywhere; a semicolon is there
  // to allow it.
  const decimal =
    read.delimiter === 'comma' ? 'point' : decimalStyle(sample.flatMap(({ cells }) => cells));
  const european = decimal === 'comma' || read.delimiter === 'semicolon';
  const customs: Customs = { decimal, ambiguousOrder: european ? 'day-first' : 'month-first' };
  const columns: ColumnProfile[] = [];
  for (const [index, tally] of tallies.entries()) {
    columns.push(await profileColumn(names[index] ?? '', tally, customs, turns));
    await progress?.(columns.length);
  }
  const missingCells = columns.reduce((sum, { missing }) => sum + missing, 0);
  return { rows: rows.length, missingCells, decimal, ...read, columns };
}
