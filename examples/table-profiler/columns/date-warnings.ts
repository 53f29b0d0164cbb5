import type { Note } from '../table.ts';
import type { DayOrder } from '../values/dates.ts';
import type { TypedColumn } from './column-type.ts';

/** What was assumed about the dates of a column: the order of day and month, and the time zone. */
export function dateWarnings(
  { order, dates }: TypedColumn,
  ambiguousOrder: DayOrder,
): readonly Note[] {
  const warnings: Note[] = [];
  if (order === 'unknown') {
    const read = ambiguousOrder === 'day-first' ? 'day/month/year' : 'month/day/year';
    const message = `Nothing tells day and month apart; read as ${read}.`;
    warnings.push({ code: 'day-or-month', message });
  }
  if (order === 'conflict') {
    const message =
      'Some dates fit only day/month, others only month/day, so they were kept as text.';
    warnings.push({ code: 'date-orders', message });
  }
  const timed = dates.filter(({ reading }) => reading.time);
  const zoned = timed.filter(({ reading }) => reading.zoned).length;
  if (zoned > 0 && zoned < timed.length) {
    const message =
      'Some times name their offset from UTC, others do not; those were taken as UTC.';
    warnings.push({ code: 'mixed-zones', message });
  }
  return warnings;
}
