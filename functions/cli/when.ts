import { z } from 'zod';
import { usage } from './cli-error.ts';

const SPANS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const exact = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/**
 * An instant that a person gives, as the API takes it: how long ago, or exactly; a date is its
 * midnight in UTC. Throws CliError, which names the option.
 */
export function instantOf(option: string, given: string, now: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(given) ?? [];
  const span = SPANS[unit];
  if (span !== undefined) return new Date(now - Number(count) * span).toISOString();
  if (exact.safeParse(given).success) return new Date(given).toISOString();
  throw usage(
    `--${option} is ${JSON.stringify(given)}; give how long ago (90s, 30m, 2h, 1d, 1w) or an instant (2026-01-31T12:00:00Z)`,
  );
}
