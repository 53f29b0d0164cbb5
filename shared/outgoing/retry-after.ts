import type { Millis } from '../domain/brand.ts';

const MAX: Millis = 60 * 60 * 1_000;

/**
 * Retry-After in either form (RFC 9110 section 10.2.3), an hour at most; undefined when it says
 * nothing.
 */
export function retryAfterOf(header: string | undefined, now: Millis): Millis | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1_000, MAX);
  // Only the forms of RFC 9110 begin with a weekday; Date.parse alone would take much else for a
  // date.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MAX);
}
