import type { Note } from '../table.ts';
import type { NumberReading } from '../values/numbers.ts';
import { counted, shortNumber } from '../wording.ts';
import type { Read } from './column-type.ts';
import { fencesOf } from './fences.ts';
import type { NumberSummary } from './number-summary.ts';
import { total } from './tally.ts';

/** Warns of values more than three interquartile ranges away from the middle half. */
export function outlierWarning(
  numbers: readonly Read<NumberReading>[],
  { count, quantiles }: NumberSummary,
): Note | undefined {
  const fences = fencesOf(count, quantiles.p25, quantiles.p75);
  if (fences === undefined) return undefined;
  const { low, high } = fences;
  const beyond = numbers.filter(({ reading: { value } }) => value < low || value > high);
  const first = beyond[0];
  if (first === undefined) return undefined;
  return {
    code: 'outliers',
    message: `${counted(total(beyond), 'value')} below ${shortNumber(low)} or above ${shortNumber(high)}, far from the middle half; the first is ${shortNumber(first.reading.value)}.`,
    lines: beyond.slice(0, 5).map(({ line }) => line),
  };
}
