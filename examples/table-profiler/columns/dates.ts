export type DayOrder = 'day-first' | 'month-first';

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const YEAR_FIRST = /^([12]\d{3})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ](\S+))?$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2([12]\d{3})(?:,? (\S+))?$/;

/**
 * Reads a cell as a date or a date with time, in ISO 8601 and as exact as the cell is: a `Z` only
 * where it names its offset from UTC. Days that no calendar has, two-digit years and half
 * days (PM) are text.
 */
export function readDate(cell: string, order: DayOrder): string | undefined {
  if (cell.length > 40) return undefined;
  const first = YEAR_FIRST.exec(cell);
  if (first !== null) return reading(first[1], first[3], first[4], first[5]);
  const last = YEAR_LAST.exec(cell);
  if (last === null) return undefined;
  const dayFirst = last[2] === '.' || order === 'day-first';
  return reading(last[4], last[dayFirst ? 3 : 1], last[dayFirst ? 1 : 3], last[5]);
}

/**
 * What the cells of a column say about `03/04/2024`: an order, `unknown` when each fits both,
 * `conflict` when some fit only the one and some only the other, undefined when no cell raises the
 * question. Dots always put the day first.
 */
export function dayOrder(cells: readonly string[]): DayOrder | 'unknown' | 'conflict' | undefined {
  const slashed = cells.flatMap((cell) => (isSlashed(cell) ? [YEAR_LAST.exec(cell) ?? []] : []));
  if (slashed.length === 0) return undefined;
  const dayFirst = slashed.some(([, first]) => Number(first) > 12);
  const monthFirst = slashed.some(([, , , second]) => Number(second) > 12);
  if (dayFirst) return monthFirst ? 'conflict' : 'day-first';
  return monthFirst ? 'month-first' : 'unknown';
}

/**
 * Whether the cell is a date such as `03/04/2024` or `03-04-2024`, whose day and month only an
 * order can tell apart.
 */
export function isSlashed(cell: string): boolean {
  return cell.length <= 40 && !cell.includes('.') && YEAR_LAST.test(cell);
}

function reading(year = '', month = '', day = '', clock?: string): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const parsed = new Date(`${date}T00:00:00Z`);
  // The 31st of February rolls over into March: then it is not the day that was written.
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date)
    return undefined;
  if (clock === undefined) return date;
  if (!CLOCK.test(clock)) return undefined;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(clock);
  const instant = new Date(`${date}T${clock}${zoned ? '' : 'Z'}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  const iso = instant.toISOString().replace('.000Z', 'Z');
  return zoned ? iso : iso.slice(0, -1);
}
