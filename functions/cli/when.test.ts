import { expect, it } from 'vitest';
import { CliError } from './cli-error.ts';
import { instantOf } from './when.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');

it.each([
  ['90s', '2026-05-04T11:58:30.000Z'],
  ['30m', '2026-05-04T11:30:00.000Z'],
  ['2h', '2026-05-04T10:00:00.000Z'],
  ['1d', '2026-05-03T12:00:00.000Z'],
  ['1w', '2026-04-27T12:00:00.000Z'],
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
])('%s is %s', (given, instant) => {
  expect(instantOf('since', given, NOW)).toBe(instant);
});

// A time without its zone is another one on another machine.
it.each(['soon', '1', '1y', '-1h', '2026-13-01', '2026-01-31T12:00:00', ''])(
  '%j is refused, with the name of the option',
  (given) => {
    expect(() => instantOf('until', given, NOW)).toThrow(CliError);
    expect(() => instantOf('until', given, NOW)).toThrow(
      `--until is ${JSON.stringify(given)}; give`,
    );
  },
);
