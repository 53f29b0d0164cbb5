import { describe, expect, it } from 'vitest';
import type { Backend } from '../../shared/ports/backend.ts';
import {
  cancelsUnannounced,
  dropsEvents,
  forgetsEffects,
  forgetsIdsOfEvents,
  forgetsOrphans,
  forgetsSends,
  forgetsWhatWasSpent,
  keepsDecisions,
  keepsPayloadKeys,
  neverConsumes,
  resolvesUnguarded,
  sendsBeforeTheCommit,
} from './known-bugs-waits.ts';
import { race } from './race.ts';
import { clientsOf, randomWorld } from './random-scenario.ts';
import { play, tidy } from './schedule.ts';
import { STEPPING_AGENT } from './stepping-agent.ts';
import { waitingScenarios } from './waiting-scenarios.ts';

type Spoil = (backend: Backend) => Backend;

/**
 * What is found by crashes after each call, until one finds what is looked for; 0 is a schedule
 * without a crash.
 */
async function foundIn(name: string, spoil: Spoil, wanted: RegExp): Promise<string> {
  let found = 'nothing';
  const scenario = waitingScenarios[name];
  if (scenario === undefined) throw new TypeError(name);
  const { calls } = await play(scenario, tidy(1, new Map(), scenario));
  for (let call = 0; call <= calls; call += 1) {
    const plan = new Map(call === 0 ? [] : [[call, 'crash-after'] as const]);
    const { problem } = await play(scenario, { ...tidy(1, plan, scenario), spoil });
    found = problem ?? found;
    if (wanted.test(found)) break;
  }
  return found;
}

// A simulation that finds nothing proves something only if it finds what is there.
describe('a known bug of runs that wait is found', () => {
  it.each<[bug: string, scenario: string, spoil: Spoil, finds: RegExp]>([
    ['a send before its commit', 'delegates', sendsBeforeTheCommit, /^sendIsCommittedBefore/],
    ['a prepared send that leaves again', 'delegates', forgetsSends, /^nothingIsSentTwice/],
    [
      'a remote task that is left to itself',
      'cancelled when it has sent',
      forgetsOrphans,
      /^leftTasksAreCancelled/,
    ],
    [
      'a CancelTask that no commit announces',
      'cancelled when it has sent',
      cancelsUnannounced,
      /^(leftTasksAreCancelled|remoteIsCancelledOnce)/,
    ],
    ['a decision that is taken in twice', 'leave by its owner', keepsDecisions, /^decisions/],
    ['a decision that is never consumed', 'leave by its owner', neverConsumes, /^effectIsAllowed/],
    [
      'a tool that nothing says is at work',
      'tools that may not run twice',
      forgetsEffects,
      /^effectIsAnnounced/,
    ],
    ['a budget that begins anew', 'delegates', forgetsWhatWasSpent, /got budget back/],
    ['a key that outlives its run', 'delegates', keepsPayloadKeys, /^endedRunsKeepNothing/],
  ])('%s', async (_, scenario, spoil, finds) => {
    expect(await foundIn(scenario, spoil, finds)).toMatch(finds);
  });

  it.each<[bug: string, spoil: Spoil, finds: RegExp]>([
    ['an event whose id is forgotten', forgetsIdsOfEvents, /^eachEventCountsOnce/],
    ['an event that is counted and not kept', dropsEvents, /^eventsComeWithTheirRow/],
  ])('%s', async (_, spoil, finds) => {
    const scenario = clientsOf([STEPPING_AGENT]);
    let found = 'nothing';
    for (let seed = 1; seed <= 100 && !finds.test(found); seed += 1)
      found = (await play(scenario, { ...randomWorld(seed), spoil })).problem ?? found;
    expect(found).toMatch(finds);
  });

  it('two coordinators that both resolve a wait', async () => {
    let found: string | undefined;
    for (let seed = 1; seed <= 50 && found === undefined; seed += 1)
      found = (await play(race.scenario, { ...race.world(seed), spoil: resolvesUnguarded }))
        .problem;
    expect(found).toMatch(/^(stepsComeWithTheirRow|pausesAreResolvedOnce|claimProblem|only)/);
  });
});
