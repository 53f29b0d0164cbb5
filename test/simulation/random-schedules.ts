import { random, randomWorld } from './random-scenario.ts';
import type { FaultPlan } from './faults.ts';
import type { Scenario } from './scenarios.ts';
import { mustHold } from './schedule.ts';
import type { WorldOptions } from './world.ts';

/**
 * All files together; with the exhaustive ones it is over ten thousand schedules. For a night of
 * them: HOLDFAST_SIMULATIONS=1000000 npm test -- test/simulation/random
 */
const COUNT = Number(process.env['HOLDFAST_SIMULATIONS'] ?? 4_000);
/** HOLDFAST_SIMULATION_SEED: where the seeds begin, to see others than yesterday's. */
const FIRST = Number(process.env['HOLDFAST_SIMULATION_SEED'] ?? 1);
const FILES = 4;

export const TIMEOUT = Math.max(600_000, COUNT * 100);

/** A kind of random schedules, each with a world of its own. */
export interface Randomness {
  /** As `HOLDFAST_REPLAY` knows it. */
  readonly name: string;
  readonly scenario: Scenario;
  world(seed: number, plan?: FaultPlan): WorldOptions;
  /** Of HOLDFAST_SIMULATIONS. */
  readonly share: number;
}

export const everything: Randomness = {
  name: 'random',
  scenario: random,
  world: randomWorld,
  share: 1,
};

/**
 * One file's share of the seeds. Answers how many schedules it was, and how many of them had
 * something to survive.
 */
export async function randomSchedules(
  file: number,
  randomness: Randomness = everything,
): Promise<{ readonly played: number; readonly faulty: number }> {
  const { name, scenario, share } = randomness;
  let [played, faulty] = [0, 0];
  for (let seed = FIRST + file; seed < FIRST + COUNT * share; seed += FILES) {
    const options = randomness.world(seed);
    await mustHold(name, seed, options.plan, scenario, options);
    played += 1;
    if (options.plan.size > 0) faulty += 1;
  }
  return { played, faulty };
}
