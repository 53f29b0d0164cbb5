import { expect, test } from 'vitest';
import { everyFaultAtEveryCall } from './exhaustive.ts';
import { randomSchedules, TIMEOUT } from './random-schedules.ts';
import { ticks } from './random-ticks.ts';
import { ticking } from './ticking-agent.ts';

// A failure names its schedule; replay.test.ts says how to run it again. random-schedules.ts says
// how to run more.
test(
  'whatever fails or crashes at whichever call, each tick is one task',
  async () => {
    expect(await everyFaultAtEveryCall('ticking', { ticking })).toBeGreaterThan(200);
  },
  TIMEOUT,
);

test.each([0, 1, 2, 3])(
  'with several faults and processes at once, whose clocks differ, each tick is one task, share %s',
  async (share) => {
    const { played, faulty } = await randomSchedules(share, ticks);
    expect(faulty).toBeGreaterThan(played / 2);
  },
  TIMEOUT,
);
