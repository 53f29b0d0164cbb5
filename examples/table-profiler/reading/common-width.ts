import type { Row } from '../table.ts';

/** The most common number of cells; of equally common ones the larger. */
export function commonWidth(records: readonly Row[]): number {
  const tally = new Map<number, number>();
  for (const { cells } of records) tally.set(cells.length, (tally.get(cells.length) ?? 0) + 1);
  let width = 0;
  for (const [cells, count] of tally) {
    const most = tally.get(width) ?? 0;
    if (count > most || (count === most && cells > width)) width = cells;
  }
  return width;
}
