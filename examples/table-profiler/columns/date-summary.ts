import { type DateReading, isoText } from '../values/dates.ts';

export type DateSummary = {
  readonly kind: 'dates';
  /** ISO 8601; with a `Z` only where the cell named its offset from UTC. */
  readonly earliest: string;
  readonly latest: string;
};

/** The first and last of the dates; undefined when there are none. */
export function summarizeDates(
  readings: readonly DateReading[],
  time: boolean,
): DateSummary | undefined {
  let earliest: DateReading | undefined;
  let latest: DateReading | undefined;
  for (const reading of readings) {
    if (earliest === undefined || reading.millis < earliest.millis) earliest = reading;
    if (latest === undefined || reading.millis > latest.millis) latest = reading;
  }
  if (earliest === undefined || latest === undefined) return undefined;
  return { kind: 'dates', earliest: isoText(earliest, time), latest: isoText(latest, time) };
}
