import type { Note, Row } from '../table.ts';
import { isMissing } from '../values/missing.ts';
import { counted } from '../wording.ts';

/** At most so many line numbers are told of one thing. */
const LINES_TOLD = 5;

export function firstLines(rows: readonly Row[]): readonly number[] {
  return rows.slice(0, LINES_TOLD).map(({ line }) => line);
}

/** Notes on rows that have fewer or more cells than the table has columns, before they are fitted to it. */
export function raggedNotes(rows: readonly Row[], width: number): readonly Note[] {
  const short = rows.filter(({ cells }) => cells.length < width);
  const long = rows.filter(({ cells }) => cells.length > width);
  const notes: Note[] = [];
  if (short.length > 0) {
    const message = `${counted(short.length, 'row')} with fewer than ${counted(width, 'cell')}: the missing ones count as empty.`;
    notes.push({ code: 'short-rows', message, lines: firstLines(short) });
  }
  if (long.length > 0) {
    const message = `${counted(long.length, 'row')} with more than ${counted(width, 'cell')}: the surplus was left out.`;
    notes.push({ code: 'long-rows', message, lines: firstLines(long) });
  }
  return notes;
}

/** Spreadsheets leave such rows behind; they stay in the table, for dropping them would change its counts unseen. */
export function emptyRowNotes(rows: readonly Row[]): readonly Note[] {
  const empty = rows.filter(({ cells }) => cells.every(isMissing));
  if (empty.length === 0) return [];
  const message = `${counted(empty.length, 'row')} without any value: counted like the others.`;
  return [{ code: 'empty-rows', message, lines: firstLines(empty) }];
}

/** The row padded or cut to the table's width. */
export function fitted(row: Row, width: number): Row {
  const { line, cells } = row;
  if (cells.length === width) return row;
  return { line, cells: Array.from({ length: width }, (_, index) => cells[index] ?? '') };
}
