import { clipped } from '../wording.ts';
import { mostFrequent, type Occurrence } from './tally.ts';

/** Values are shown, not stored, in a profile: long ones are cut. */
export const SHOWN_CHARACTERS = 80;
const TOP_VALUES = 5;

export type ValueCount = { readonly value: string; readonly count: number };
export type Extent = { readonly value: string; readonly characters: number };

export type TextSummary = {
  readonly kind: 'text';
  readonly shortest: Extent;
  readonly longest: Extent;
  /** The most frequent values; none when no value occurs twice. */
  readonly top: readonly ValueCount[];
};

/** Describes texts by their extremes and the values that recur; undefined when there are none. */
export function summarizeText(values: readonly Occurrence[]): TextSummary | undefined {
  let shortest: Occurrence | undefined;
  let longest: Occurrence | undefined;
  for (const value of values) {
    if (shortest === undefined || value.cell.length < shortest.cell.length) shortest = value;
    if (longest === undefined || value.cell.length > longest.cell.length) longest = value;
  }
  if (shortest === undefined || longest === undefined) return undefined;
  const top = mostFrequent(values, TOP_VALUES);
  return {
    kind: 'text',
    shortest: extent(shortest),
    longest: extent(longest),
    top: top[0]?.count === 1 ? [] : top.map(valueCount),
  };
}

/** The value as it is shown, and how often it occurs. */
export function valueCount({ cell, count }: Occurrence): ValueCount {
  return { value: clipped(cell, SHOWN_CHARACTERS), count };
}

function extent({ cell }: Occurrence): Extent {
  return { value: clipped(cell, SHOWN_CHARACTERS), characters: cell.length };
}
