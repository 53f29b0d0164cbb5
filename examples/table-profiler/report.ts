import type { ColumnProfile } from './columns/column-profile.ts';
import { formatInWords, gist, sizeInWords } from './describe.ts';
import { inline, markdownTable } from './markdown.ts';
import type { TableProfile } from './profile.ts';
import type { Note } from './table.ts';
import { atLines, clipped, grouped, percent, shortNumber } from './wording.ts';

/** The profile as a Markdown report: how the file was read, every column, the numbers, and what to check. */
export function renderReport(profile: TableProfile, name: string): string {
  const sections = [
    `# Profile of ${inline(name)}`,
    `${sizeInWords(profile)}.\n\nRead as ${formatInWords(profile)}.`,
    ...section('Columns', columnsTable(profile)),
    ...section('Numbers', numbersTable(profile.columns)),
    ...section('Frequent values', frequentValues(profile.columns)),
    ...section('To check', warnings(profile.columns)),
    ...section('How the file was read', profile.notes.map(bullet).join('\n')),
  ];
  return `${sections.join('\n\n')}\n`;
}

function section(title: string, body: string): readonly string[] {
  return body === '' ? [] : [`## ${title}`, body];
}

function columnsTable({ columns, rows }: TableProfile): string {
  if (columns.length === 0) return '';
  const header = [
    { title: '#', align: '>' },
    { title: 'Column' },
    { title: 'Type' },
    { title: 'Missing', align: '>' },
    { title: 'Distinct', align: '>' },
    { title: 'Values' },
    { title: 'For example' },
  ] as const;
  return markdownTable(
    header,
    columns.map((column) => [
      String(column.position),
      inline(column.name),
      column.type,
      missing(column, rows),
      grouped(column.distinct),
      inline(gist(column)),
      column.examples.map((example) => inline(clipped(example, 32))).join(' · '),
    ]),
  );
}

function missing({ missing: count }: ColumnProfile, rows: number): string {
  return count === 0 ? '0' : `${grouped(count)} (${percent(count, rows)})`;
}

function numbersTable(columns: readonly ColumnProfile[]): string {
  const rows = columns.flatMap(({ name, summary }) => {
    if (summary?.kind !== 'numbers') return [];
    const { min, max, mean, median, standardDeviation: deviation, quantiles } = summary;
    const { p5, p25, p75, p95 } = quantiles;
    const spread = deviation === null ? '' : shortNumber(deviation);
    const shown = [min, p5, p25, median, p75, p95, max, mean].map(shortNumber);
    return [[inline(name), ...shown, spread]];
  });
  if (rows.length === 0) return '';
  const titles = ['Min', '5%', '25%', 'Median', '75%', '95%', 'Max', 'Mean', 'Std. dev.'];
  const header = titles.map((title) => ({ title, align: '>' as const }));
  return markdownTable([{ title: 'Column' }, ...header], rows);
}

function frequentValues(columns: readonly ColumnProfile[]): string {
  const rows = columns.flatMap(({ name, summary }) => {
    if (summary?.kind !== 'text' && summary?.kind !== 'booleans') return [];
    if (summary.top.length === 0) return [];
    const values = summary.top.map(({ value, count }) => `${inline(value)} (${grouped(count)})`);
    return [[inline(name), values.join(' · ')]];
  });
  return rows.length === 0 ? '' : markdownTable([{ title: 'Column' }, { title: 'Values' }], rows);
}

function warnings(columns: readonly ColumnProfile[]): string {
  return columns
    .flatMap(({ name, warnings: found }) =>
      found.map((warning) => bullet(warning).replace('- ', `- **${inline(name)}**: `)),
    )
    .join('\n');
}

function bullet({ message, lines }: Note): string {
  const where = lines === undefined || lines.length === 0 ? '' : ` (${atLines(lines)})`;
  return `- ${inline(message)}${where}`;
}
