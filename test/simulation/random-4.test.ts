import { expect, test } from 'vitest';
import { randomSchedules, TIMEOUT } from './random-schedules.ts';

// A failure names its schedule; replay.test.ts says how to run it again. random-schedules.ts says
// how to run more.
test(
  'with several faults, clients and processes at once every guarantee is kept, share 4 of 4',
  async () => {
    const { played, faulty } = await randomSchedules(3);
    expect(faulty).toBeGreaterThan(played / 2);
  },
  TIMEOUT,
);
