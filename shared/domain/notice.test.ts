import { describe, expect, it } from 'vitest';
import { isQuiet } from './notice.ts';

const at = (instant: string) => Date.parse(instant);
const night = { from: 22 * 60, to: 7 * 60, timezone: 'Europe/Berlin' };

describe('quiet hours', () => {
  it.each([
    ['2026-01-10T20:59:00Z', false],
    ['2026-01-10T21:00:00Z', true],
    ['2026-01-10T23:30:00Z', true],
    ['2026-01-11T05:59:00Z', true],
    ['2026-01-11T06:00:00Z', false],
    // In summer the same hours are an hour earlier.
    ['2026-07-10T20:00:00Z', true],
    ['2026-07-11T05:00:00Z', false],
  ])('through midnight in Berlin, at %s: %s', (instant, quiet) => {
    expect(isQuiet(night, at(instant))).toBe(quiet);
  });

  it('within a day begin with their first minute and end before their last', () => {
    const noon = { from: 12 * 60, to: 13 * 60, timezone: 'UTC' };
    expect(isQuiet(noon, at('2026-01-10T11:59:59Z'))).toBe(false);
    expect(isQuiet(noon, at('2026-01-10T12:00:00Z'))).toBe(true);
    expect(isQuiet(noon, at('2026-01-10T13:00:00Z'))).toBe(false);
  });
});
