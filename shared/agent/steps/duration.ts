const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const SPAN = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d|w)\s*$/;
export const YEAR = 366 * 86_400_000;

/** Milliseconds of `1500`, `30 s`, `5 m`, `2 h`, `7 d`. Throws TypeError: `of` was given it. */
export function durationOf(span: number | string, of = 'sleep'): number {
  const [, count = '', unit = ''] = (typeof span === 'string' ? SPAN.exec(span) : null) ?? [];
  const value = typeof span === 'number' ? span : Number(count || Number.NaN) * (UNITS[unit] ?? 1);
  if (Number.isFinite(value) && value >= 0 && value <= YEAR) return Math.ceil(value);
  throw new TypeError(
    `${of}(${JSON.stringify(span)}): milliseconds, or a span like "30 s", "5 m", "2 h", "7 d"; 366 days at most`,
  );
}

/** Milliseconds since 1970 of a time that is at most a year ahead. Throws TypeError. */
export function timeOf(time: Date | number, now: number): number {
  const at = typeof time === 'number' ? time : time.getTime();
  if (Number.isFinite(at) && at <= now + YEAR) return Math.ceil(at);
  throw new TypeError('until: a Date, or milliseconds since 1970; 366 days ahead at most');
}
