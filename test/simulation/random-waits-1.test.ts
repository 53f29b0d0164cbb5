import { expect, test } from 'vitest';
import { randomSchedules, TIMEOUT } from './random-schedules.ts';
import { waits } from './random-waits.ts';

// A failure names its schedule; replay.test.ts says how to run it again. random-schedules.ts says
// how to run more.
test(
  'with several faults, clients and processes at once runs that wait keep every guarantee, share 1 of 2',
  async () => {
    const { played, faulty } = await randomSchedules(0, waits);
    expect(faulty).toBeGreaterThan(played / 2);
  },
  TIMEOUT,
);
