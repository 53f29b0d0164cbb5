import { expect, test } from 'vitest';
import { everyFaultAtEveryCall } from './exhaustive.ts';
import { fileScenarios } from './file-scenarios.ts';

// Crash at every I/O of agents with files: upload, commit, projection. A failure names its
// schedule; replay.test.ts says how to run it again.
test.each(Object.keys(fileScenarios))(
  '%s: whatever fails or crashes at whichever call, what completed is kept, once, and whole',
  async (name) => {
    expect(await everyFaultAtEveryCall(name, fileScenarios)).toBeGreaterThan(100);
  },
  600_000,
);
