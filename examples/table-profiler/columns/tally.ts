import { isMissing } from '../values/missing.ts';

/** How often a value occurs in a column, and at which line of the file first. */
export type Occurrence = { readonly cell: string; count: number; readonly line: number };

/**
 * A column as its distinct values. Everything later (type, statistics, warnings) is computed from these, so a question that
 * needs all values, such as which number comes first in `03/04/2024`, never needs a second look at the rows.
 */
export class Tally {
  readonly values = new Map<string, Occurrence>();
  /** Spellings of "no value", the empty cell as ''. */
  readonly missing = new Map<string, Occurrence>();

  /** Values with spaces around them, which only quotes preserve; they are tallied without. */
  padded = 0;

  add(raw: string, line: number): void {
    const cell = raw.trim();
    if (cell !== raw && cell !== '') this.padded += 1;
    const into = isMissing(cell) ? this.missing : this.values;
    const known = into.get(cell);
    if (known === undefined) into.set(cell, { cell, count: 1, line });
    else known.count += 1;
  }

  /** In the order of their first lines. */
  occurrences(): readonly Occurrence[] {
    return [...this.values.values()];
  }
}

export function total(occurrences: Iterable<{ readonly count: number }>): number {
  let sum = 0;
  for (const { count } of occurrences) sum += count;
  return sum;
}

/** The most frequent first; of equally frequent ones the one that came first. */
export function mostFrequent(
  occurrences: readonly Occurrence[],
  most: number,
): readonly Occurrence[] {
  return occurrences.toSorted((a, b) => b.count - a.count || a.line - b.line).slice(0, most);
}
