import { expect, test } from 'vitest';
import { everyFaultAtEveryCall, shareOfScenarios } from './exhaustive.ts';
import { waitingScenarios } from './waiting-scenarios.ts';

// Crash at every I/O of runs that wait. A failure names its schedule; replay.test.ts says how to
// run it again.
test.each(shareOfScenarios(1, waitingScenarios))(
  '%s: whatever fails, crashes or lands late at whichever call, every guarantee is kept',
  async (name) => {
    expect(await everyFaultAtEveryCall(name, waitingScenarios)).toBeGreaterThan(60);
  },
  600_000,
);
