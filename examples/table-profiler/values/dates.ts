export type DayOrder = 'day-first' | 'month-first';

export type DateReading = {
  /** Wall clock time as if it were UTC, or true UTC where the cell names its offset. */
  readonly millis: number;
  readonly time: boolean;
  readonly zoned: boolean;
};

const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AaPp])[Mm])? ?(Z|z|[+-]\d{2}:?\d{2})?$/;
const YEAR_FIRST = /^([12]\d{3})([-/.])(\d{1,2})\2(\d{1,2})(?:[Tt ]+(\S.*))?$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2([12]\d{3})(?:,? +(\S.*))?$/;

/** Reads a cell as a date or a date with time. Days that no calendar has, and two-digit years, are text. */
export function readDate(cell: string, order: DayOrder): DateReading | undefined {
  if (cell.length > 40) return undefined;
  const iso = YEAR_FIRST.exec(cell);
  if (iso !== null) return reading(iso[1], iso[3], iso[4], iso[5]);
  const other = YEAR_LAST.exec(cell);
  if (other === null) return undefined;
  const [, first, separator, second, year, time] = other;
  const dayFirst = separator === '.' || order === 'day-first';
  return reading(year, dayFirst ? second : first, dayFirst ? first : second, time);
}

/**
 * What the cells of a column say about `03/04/2024`: an order, `unknown` when each fits both, `conflict` when some fit only
 * the one and some only the other, undefined when no cell raises the question. Dots always put the day first.
 */
export function dayOrder(cells: Iterable<string>): DayOrder | 'unknown' | 'conflict' | undefined {
  let seen = false;
  let dayFirst = false;
  let monthFirst = false;
  for (const cell of cells) {
    const match = dependsOnOrder(cell);
    if (match === undefined) continue;
    seen = true;
    if (Number(match[1]) > 12) dayFirst = true;
    if (Number(match[3]) > 12) monthFirst = true;
  }
  if (!seen) return undefined;
  if (dayFirst && monthFirst) return 'conflict';
  if (dayFirst) return 'day-first';
  return monthFirst ? 'month-first' : 'unknown';
}

/** The parts of a date such as `03/04/2024` or `03-04-2024`, whose day and month only an order can tell apart. */
export function dependsOnOrder(cell: string): RegExpExecArray | undefined {
  const match = cell.length > 40 ? null : YEAR_LAST.exec(cell);
  return match === null || match[2] === '.' ? undefined : match;
}

/** The reading in ISO 8601, as exact as the column is. */
export function isoText({ millis, zoned }: DateReading, time: boolean): string {
  const iso = new Date(millis).toISOString();
  if (!time) return iso.slice(0, 10);
  const seconds = iso.endsWith('.000Z') ? iso.slice(0, 19) : iso.slice(0, 23);
  return zoned ? `${seconds}Z` : seconds;
}

function reading(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  clock: string | undefined,
): DateReading | undefined {
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(midnight);
  // The 31st of February rolls over into March: then the month is not the one that was written.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  if (clock === undefined) return { millis: midnight, time: false, zoned: false };
  const time = timeOfDay(clock);
  return time && { millis: midnight + time.millis, time: true, zoned: time.zoned };
}

function timeOfDay(clock: string): { millis: number; zoned: boolean } | undefined {
  const match = TIME.exec(clock);
  if (match === null) return undefined;
  const [, hour = '', minute = '', second = '0', fraction = '', half, zone] = match;
  const hours = half === undefined ? Number(hour) : twelveHour(Number(hour), half);
  if (hours === undefined || hours > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const millis = Number(fraction.padEnd(3, '0').slice(0, 3));
  const minutes = hours * 60 + Number(minute) - offsetMinutes(zone);
  return { millis: (minutes * 60 + Number(second)) * 1000 + millis, zoned: zone !== undefined };
}

function twelveHour(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}
