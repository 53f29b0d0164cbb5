import { expect, test } from 'vitest';
import { everyFaultAtEveryCall, shareOfScenarios } from './exhaustive.ts';

// Crash at every I/O. A failure names its schedule; replay.test.ts says how to run it again.
test.each(shareOfScenarios(1))(
  '%s: whatever fails, crashes or lands late at whichever call, every guarantee is kept',
  async (name) => {
    expect(await everyFaultAtEveryCall(name)).toBeGreaterThan(60);
  },
  600_000,
);
