import type { Column } from './view.ts';

/** A cell that was cut to less says nothing. */
const LEAST = 6;

/**
 * Widths whose sum is no more than that, if it can be: the widest columns become narrower first,
 * those that are fixed only when the others can't any more.
 */
export function columnWidths(
  columns: readonly Column[],
  natural: readonly number[],
  available: number,
): readonly number[] {
  const widths = [...natural];
  const over = () => widths.reduce((sum, each) => sum + each, 0) - available;
  const narrow = (may: (at: number) => boolean, least: number) => {
    while (over() > 0) {
      const [widest] = widths
        .map((_, at) => at)
        .filter((at) => may(at) && (widths[at] ?? 0) > least)
        .toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
      if (widest === undefined) return;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  };
  narrow((at) => columns[at]?.fixed !== true, LEAST);
  narrow(() => true, LEAST);
  narrow(() => true, 1);
  return widths;
}
