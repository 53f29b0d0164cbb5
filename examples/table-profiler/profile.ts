import { type ColumnProfile, type Customs, profileColumn } from './columns/column-profile.ts';
import { Tally } from './columns/tally.ts';
import type { Delimiter, Encoding, Note, Table } from './table.ts';
import { type DecimalStyle, decimalStyle } from './values/numbers.ts';

export type TableProfile = {
  readonly rows: number;
  readonly missingCells: number;
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly hasHeader: boolean;
  readonly decimal: DecimalStyle;
  /** How the file was read. */
  readonly notes: readonly Note[];
  readonly columns: readonly ColumnProfile[];
};

export type ProfileOptions = {
  /** Called after each batch of rows. Abort is noticed between batches, so a long table needs this to await something. */
  readonly progress?: (done: number, total: number) => Promise<void>;
  readonly signal?: AbortSignal;
  readonly batchRows?: number;
};

/**
 * Profiles each column of a table. The same table always gives the same profile. Throws the signal's reason when it is
 * aborted.
 */
export async function profileTable(
  table: Table,
  { progress, signal, batchRows = defaultBatch(table.rows.length) }: ProfileOptions = {},
): Promise<TableProfile> {
  const { columns: names, rows, encoding, delimiter, hasHeader, notes } = table;
  const tallies = names.map(() => new Tally());
  signal?.throwIfAborted();
  for (let done = 0; done < rows.length; ) {
    const batch = rows.slice(done, done + batchRows);
    for (const { line, cells } of batch) {
      for (const [index, tally] of tallies.entries()) tally.add(cells[index] ?? '', line);
    }
    done += batch.length;
    await progress?.(done, rows.length);
    signal?.throwIfAborted();
  }

  const customs = customsOf(table);
  const columns: ColumnProfile[] = [];
  for (const [index, tally] of tallies.entries()) {
    columns.push(profileColumn(names[index] ?? '', index + 1, tally, customs));
    signal?.throwIfAborted();
  }
  const missingCells = columns.reduce((sum, { missing }) => sum + missing, 0);
  const read = { encoding, delimiter, hasHeader, decimal: customs.decimal, notes };
  return { rows: rows.length, missingCells, ...read, columns };
}

/** Small enough for an early word, and so few that the words do not outweigh the work. */
function defaultBatch(rows: number): number {
  return Math.max(5_000, Math.ceil(rows / 10));
}

/** Where commas part the cells, a decimal comma would need quotes everywhere; a semicolon is there to allow it. */
function customsOf({ delimiter, rows }: Table): Customs {
  const decimal = delimiter === 'comma' ? 'point' : decimalStyle(cellsOf(rows.slice(0, 5_000)));
  const european = decimal === 'comma' || delimiter === 'semicolon';
  return { decimal, ambiguousOrder: european ? 'day-first' : 'month-first' };
}

function* cellsOf(rows: Table['rows']): Generator<string> {
  for (const { cells } of rows) yield* cells;
}
