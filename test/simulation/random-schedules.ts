import { random, randomWorld } from './random-scenario.ts';
import { mustHold } from './schedule.ts';

/**
 * All files together; with the exhaustive ones it is over ten thousand schedules. For a night of them:
 * HOLDFAST_SIMULATIONS=1000000 npm test -- test/simulation/random
 */
const COUNT = Number(process.env['HOLDFAST_SIMULATIONS'] ?? 4_000);
/** HOLDFAST_SIMULATION_SEED: where the seeds begin, to see others than yesterday's. */
const FIRST = Number(process.env['HOLDFAST_SIMULATION_SEED'] ?? 1);
const FILES = 4;

export const TIMEOUT = Math.max(600_000, COUNT * 100);

/** One file's share of the seeds. Answers how many schedules it was, and how many of them had something to survive. */
export async function randomSchedules(
  file: number,
): Promise<{ readonly played: number; readonly faulty: number }> {
  let [played, faulty] = [0, 0];
  for (let seed = FIRST + file; seed < FIRST + COUNT; seed += FILES) {
    const options = randomWorld(seed);
    await mustHold('random', seed, options.plan, random, options);
    played += 1;
    if (options.plan.size > 0) faulty += 1;
  }
  return { played, faulty };
}
