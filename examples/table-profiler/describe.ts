import type { ColumnProfile } from './columns/column-profile.ts';
import type { TableProfile } from './profile.ts';
import type { Delimiter, Encoding } from './table.ts';
import { clipped, counted, grouped, percent, shortNumber } from './wording.ts';

/** The size of a table in words: `1,200 rows and 8 columns; 37 of 9,600 cells (0.4%) are missing`. */
export function sizeInWords({ rows, columns, missingCells }: TableProfile): string {
  const size = `${counted(rows, 'row')} and ${counted(columns.length, 'column')}`;
  const cells = rows * columns.length;
  if (cells === 0) return size;
  if (missingCells === 0) return `${size}; no cell is missing`;
  const share = `${grouped(missingCells)} of ${counted(cells, 'cell')} (${percent(missingCells, cells)})`;
  return `${size}; ${share} ${missingCells === 1 ? 'is' : 'are'} missing`;
}

const ENCODINGS: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
};

const DELIMITERS: Record<Delimiter, string> = {
  comma: 'commas between the cells',
  semicolon: 'semicolons between the cells',
  tab: 'tabs between the cells',
  pipe: 'pipes between the cells',
  none: 'a single column',
};

/** How the file was read, in words. */
export function formatInWords({ encoding, delimiter, decimal }: TableProfile): string {
  const comma = decimal === 'comma' ? ', decimal commas' : '';
  return `${ENCODINGS[encoding]}, ${DELIMITERS[delimiter]}${comma}`;
}

/** The gist of a column in a few words; plain text, not yet escaped for anything. */
export function gist({ summary, distinct }: ColumnProfile): string {
  switch (summary?.kind) {
    case 'numbers':
      if (summary.min === summary.max) return `always ${shortNumber(summary.min)}`;
      return `${shortNumber(summary.min)} to ${shortNumber(summary.max)}, median ${shortNumber(summary.median)}`;
    case 'dates':
      return `${summary.earliest} to ${summary.latest}`;
    case 'booleans':
      return summary.top.map(({ value, count }) => `${value} ${grouped(count)}`).join(' · ');
    case 'text':
      if (summary.top.length === 0) {
        return distinct === 1 ? 'one value' : 'all different';
      }
      return summary.top
        .slice(0, 3)
        .map(({ value, count }) => `${clipped(value, 24)} ${grouped(count)}`)
        .join(' · ');
    case undefined:
      return '';
  }
}
