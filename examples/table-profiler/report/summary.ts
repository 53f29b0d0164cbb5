import type { TableProfile } from '../profile.ts';
import { counted, percent, sentence } from '../wording.ts';

/**
 * The answer in a few sentences: what was read, and everything that was left out, mended or guessed
 * on the way.
 */
export function summarize(profile: TableProfile, name: string, more: number): string {
  const { columns, rows, notes } = profile;
  const subject = name.replace(/^the /, 'The ');
  const header = `a header of ${counted(columns.length, 'column')} and no rows`;
  const content =
    columns.length === 0 ? 'is empty' : `has ${rows === 0 ? header : sizeInWords(profile)}`;
  const warned = columns.filter(({ warnings }) => warnings.length > 0).map((column) => column.name);
  const shown = `${warned.slice(0, 3).join(', ')}${warned.length > 3 ? ` and ${warned.length - 3} more` : ''}`;
  const odd = `${counted(warned.length, 'column')} ${warned.length === 1 ? 'has' : 'have'} something to check: ${shown}.`;
  return [
    `${subject} ${content}.`,
    ...notes.map(sentence),
    ...(warned.length > 0 ? [odd] : []),
    ...(warned.length + notes.length === 0 && rows > 0
      ? ['Nothing in its columns looks odd.']
      : []),
    ...(more > 0
      ? [`${counted(more, 'further table')} in the message: send each on its own.`]
      : []),
  ].join(' ');
}

/**
 * The size of a table in words:
 * `1,200 rows and 8 columns; 37 of 9,600 cells (0.4%) are missing, some written NA`.
 */
export function sizeInWords({ rows, more, columns, missingCells }: TableProfile): string {
  const read = counted(rows, 'row');
  const all = more
    ? `more than ${read}, of which the first ${read.replace(/ .*/, '')} were read,`
    : read;
  const size = `${all} and ${counted(columns.length, 'column')}`;
  const cells = rows * columns.length;
  if (cells === 0) return size;
  if (missingCells === 0) return `${size}; no cell is missing`;
  const share = `${counted(missingCells, '').split(' ')[0]} of ${counted(cells, 'cell')} (${percent(missingCells, cells)})`;
  const spelled = new Set(
    columns.flatMap(({ missingAs }) => missingAs.filter((value) => value !== '')),
  );
  const written = spelled.size === 0 ? '' : `, some written ${[...spelled].slice(0, 4).join(', ')}`;
  return `${size}; ${share} ${missingCells === 1 ? 'is' : 'are'} missing${written}`;
}
