import { expect, test } from 'vitest';
import { notices } from './random-notices.ts';
import { randomSchedules, TIMEOUT } from './random-schedules.ts';

// A failure names its schedule; replay.test.ts says how to run it again. random-schedules.ts says
// how to run more.
test.each([0, 1, 2, 3])(
  'with several faults, clients and processes at once each target is told each matter once, share %s',
  async (share) => {
    const { played, faulty } = await randomSchedules(share, notices);
    expect(faulty).toBeGreaterThan(played / 2);
  },
  TIMEOUT,
);
