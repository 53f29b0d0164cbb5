import { describe, expect, it } from 'vitest';
import {
  answersFromAnOldCopy,
  forgetsCommitIds,
  forgetsExpectations,
  repeatsNews,
  tearsCommits,
} from './known-bugs.ts';
import { FAULTS } from './faults.ts';
import { random, randomWorld } from './random-scenario.ts';
import { play, tidy } from './schedule.ts';
import { scenarios } from './scenarios.ts';
import type { WorldOptions } from './world.ts';

/** What the first schedule that goes wrong has to say. */
async function foundBy(bug: Partial<WorldOptions>, seeds = 120): Promise<string> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { problem } = await play(random, { ...randomWorld(seed), ...bug });
    if (problem !== undefined) return problem;
  }
  return 'nothing';
}

// A simulation that finds nothing proves something only if it finds what is there.
describe('a known bug is found', () => {
  it('in a database that takes every commit, whatever it expected', async () => {
    expect(await foundBy({ spoil: forgetsExpectations })).not.toBe('nothing');
  });

  it('in a projector that does not look at how far the view is', async () => {
    const bug = {
      spoil: (backend: Parameters<typeof tearsCommits>[0]) =>
        forgetsExpectations(backend, /^tasks\//),
    };
    expect(await foundBy(bug)).toMatch(
      /^(journalGrowsWithTheView|viewShowsCommittedState|nothingPublicIsRewritten)/,
    );
  });

  it('in a row that is committed without what belongs to it', async () => {
    expect(await foundBy({ spoil: tearsCommits })).toMatch(/^revisionComesWithItsRow/);
  });

  it('in reads that go back in time', async () => {
    expect(await foundBy({ spoil: answersFromAnOldCopy })).toMatch(/^readsFollowOneLine/);
  });

  it('in a stream that repeats events', async () => {
    expect(await foundBy({ spoil: repeatsNews })).toMatch(/^streamsAreStretches/);
  });

  it('in a system without a sweeper', async () => {
    expect(await foundBy({ sweepless: true })).toMatch(/^everythingComesToRest/);
  });

  it('in a transaction that does not recognise its own success', async () => {
    const { stream } = scenarios;
    if (stream === undefined) throw new TypeError('no stream');
    const { calls } = await play(stream, tidy(1, new Map()));
    let found: string | undefined;
    for (
      let call = 1;
      call <= calls && !found?.startsWith('completedTaskHasItsResult');
      call += 1
    ) {
      const options = tidy(1, new Map([[call, FAULTS[1]]]));
      const { problem } = await play(stream, { ...options, spoil: forgetsCommitIds });
      found = problem;
    }
    expect(found).toMatch(/^completedTaskHasItsResult/);
  });
});
