export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One measure: what was asked, the answer, and whether its targets are met. */
export interface Section {
  readonly title: string;
  readonly about: string;
  readonly table: Table;
  readonly targets: readonly Target[];
}

export interface Target {
  readonly what: string;
  readonly met: boolean;
  readonly found: string;
}

export function markdownOf({ title, about, table, targets }: Section): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = table.head.map((_, at) => (at === 0 ? '---' : '---:'));
  return [
    `## ${title}`,
    about,
    [table.head, rule, ...table.rows].map(line).join('\n'),
    ...(targets.length === 0 ? [] : [targets.map(targetLine).join('\n')]),
  ].join('\n\n');
}

function targetLine({ what, met, found }: Target): string {
  return `- ${met ? 'Met' : '**Missed**'}: ${what} (${found})`;
}

export function number(value: number, digits = 0): string {
  if (!Number.isFinite(value)) return '-';
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Few digits for large numbers, more for small ones. */
export function short(value: number): string {
  return number(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

export const kilobytes = (bytes: number): string => number(bytes / 1_024);

/** Progress of long work, beside the result and not in it. */
export function progress(line: string): void {
  process.stderr.write(`  ${line}\n`);
}
