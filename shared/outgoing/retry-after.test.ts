import { expect, test } from 'vitest';
import { retryAfterOf } from './retry-after.ts';

const now = Date.UTC(2026, 0, 1, 12);

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 120 ', 120_000],
  ['999999', 3_600_000],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['Fri, 01 Jan 2027 12:00:00 GMT', 3_600_000],
  ['Thursday, 01-Jan-26 12:01:00 GMT', 60_000],
])('Retry-After: %s is %i ms', (header, span) => {
  expect(retryAfterOf(header, now)).toBe(span);
});

test.each([undefined, '', '-1', '1.5', 'soon', '7 seconds', '2026-01-01T12:00:30Z', 'Thu', '1e3'])(
  'Retry-After: %j says nothing',
  (header) => {
    expect(retryAfterOf(header, now)).toBeUndefined();
  },
);
