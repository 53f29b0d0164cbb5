import { Cron } from 'croner';
import type { Millis } from '../domain/brand.ts';

/**
 * When a cron rule of five fields ticks, in a time zone. A rule that names its hours and minutes
 * ticks once at a local time that comes twice, and right after a gap at one that the gap leaves
 * out; any other goes by the time that passes (docs/schedules.md). Throws Error with the reason, of
 * what is no rule.
 */
export function cronTicks(rule: string, timezone: string): (after: Millis) => Millis | undefined {
  const cron = new Cron(rule, { mode: '5-part', timezone, fixedTimeRule: 'no-wildcard' });
  return (after) => cron.nextRun(new Date(after))?.getTime();
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
