const UNITS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};
/** The longest that a timer takes; a call is over long before. */
const LONGEST = 2 ** 31 - 1;

/**
 * Milliseconds in a `grpc-timeout` (gRPC over HTTP/2); undefined without one, and for what is none:
 * a call without a deadline is the caller's own to end.
 */
export function timeoutOf(header: string | undefined): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(header ?? '') ?? [];
  if (digits === undefined) return undefined;
  return Math.min(Math.ceil(Number(digits) * (UNITS[unit] ?? 1)), LONGEST);
}
