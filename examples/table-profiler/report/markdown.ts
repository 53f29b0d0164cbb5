import type { ColumnProfile } from '../columns/column.ts';
import type { TableProfile } from '../profile.ts';
import { clipped, percent, sentence, shortNumber } from '../wording.ts';
import { sizeInWords } from './summary.ts';

/**
 * The profile as a Markdown report: how the file was read, every column, the numbers, and what to
 * check.
 */
export function renderReport(profile: TableProfile, name: string): string {
  const { columns, decimal, delimiter, encoding, notes, rows } = profile;
  const cells = delimiter === 'none' ? 'a single column' : `cells parted by ${inline(delimiter)}`;
  const described = columns.map((column) => [
    inline(column.name),
    column.type,
    `${shortNumber(column.missing)} (${percent(column.missing, rows)})`,
    shortNumber(column.distinct),
    inline(gist(column)),
    column.examples.map((example) => inline(clipped(example, 32))).join(' · '),
  ]);
  const numeric = columns.flatMap(({ name: column, numbers }) => {
    if (numbers === null) return [];
    const { max, mean, median, min, p5, p25, p75, p95, standardDeviation } = numbers;
    const shown = [min, p5, p25, median, p75, p95, max, mean, standardDeviation];
    return [[inline(column), ...shown.map((value) => (value === null ? '' : shortNumber(value)))]];
  });
  const toCheck = columns.flatMap(({ name: column, warnings }) =>
    warnings.map((warning) => `- **${inline(column)}**: ${inline(sentence(warning))}`),
  );
  const sections = [
    `# Profile of ${inline(name)}`,
    `${sizeInWords(profile)}.`,
    `Read as ${encoding}, ${cells}${decimal === 'comma' ? ', decimal commas' : ''}.`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${inline(sentence(note))}`).join('\n')]),
    ...table('Column,Type,Missing,Distinct,Values,For example', described),
    ...table('Column,Min,5%,25%,Median,75%,95%,Max,Mean,Std. dev.', numeric),
    ...(toCheck.length === 0 ? [] : ['## To check', toCheck.join('\n')]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** The gist of a column in a few words; plain text, not yet escaped for anything. */
export function gist({ dates, distinct, numbers, top }: ColumnProfile): string {
  if (dates !== null) return `${dates.earliest} to ${dates.latest}`;
  if (numbers !== null) {
    const { max, median, min } = numbers;
    return `${shortNumber(min)} to ${shortNumber(max)}, median ${shortNumber(median)}`;
  }
  const values = top.map(({ value, count }) => `${clipped(value, 24)} ${shortNumber(count)}`);
  return distinct > 0 && values.length === 0 ? 'all different' : values.join(' · ');
}

function table(header: string, rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const titles = header.split(',');
  const lines = [titles, titles.map(() => '---'), ...rows];
  return [lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
}

/**
 * Text from a table as Markdown that shows just that text: no emphasis, code, link, image, HTML or
 * new cell can come of it.
 */
export function inline(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // Within a word an underscore is harmless, and most column names have one there.
  const escaped = line.replace(/[\\`*[\]|~#!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
  return escaped.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
