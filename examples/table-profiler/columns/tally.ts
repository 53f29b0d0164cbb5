import { clipped } from '../wording.ts';

const MISSING = new Set(',-,.,\\n,na,n/a,#na,#n/a,<na>,nan,null,none,nil'.split(','));

/**
 * Whether a cell says that there is no value, as spreadsheets, databases, R, SAS and pandas write
 * it, in any case.
 */
export function isMissing(cell: string): boolean {
  return cell.length <= 4 && MISSING.has(cell.toLowerCase());
}

/** How often a value occurs in a column, and at which line of the file first. */
export type Occurrence = { readonly cell: string; count: number; readonly line: number };

/**
 * A column as its distinct values, in the order of their first lines. All else is computed from
 * these.
 */
export class Tally {
  readonly values = new Map<string, Occurrence>();
  /** Spellings of "no value", the empty cell as ''. */
  readonly missing = new Map<string, Occurrence>();

  add(cell: string, line: number): void {
    const into = isMissing(cell) ? this.missing : this.values;
    const known = into.get(cell);
    if (known === undefined) into.set(cell, { cell, count: 1, line });
    else known.count += 1;
  }
}

export function total(occurrences: Iterable<{ readonly count: number }>): number {
  let sum = 0;
  for (const { count } of occurrences) sum += count;
  return sum;
}

/** The most frequent of the values that recur; of equally frequent ones the one that came first. */
export function recurring(values: readonly Occurrence[], most: number) {
  return values
    .filter(({ count }) => count > 1)
    .toSorted((a, b) => b.count - a.count || a.line - b.line)
    .slice(0, most)
    .map(({ cell, count }) => ({ value: clipped(cell, 80), count }));
}
