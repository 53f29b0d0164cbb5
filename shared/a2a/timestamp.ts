const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Milliseconds of a ProtoJSON timestamp, rounded up: our times are whole milliseconds, so "at or
 * after" a finer instant begins with the next one. Undefined for anything else.
 */
export function instantOf(text: string): number | undefined {
  const [, seconds, fraction = '', zone] = RFC3339.exec(text) ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  const whole = Date.parse(`${seconds}${zone}`.toUpperCase());
  return Number.isNaN(whole)
    ? undefined
    : whole + Math.ceil(Number(`0.${fraction || '0'}`) * 1_000);
}
