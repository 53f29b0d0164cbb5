import { random, randomWorld } from './random-scenario.ts';
import { mustHold } from './schedule.ts';

/** All files together; HOLDFAST_SIMULATIONS=100000 npm test -- test/simulation/random for a night of them. */
const COUNT = Number(process.env['HOLDFAST_SIMULATIONS'] ?? 5_400);
/** HOLDFAST_SIMULATION_SEED: where the seeds begin, to see others than yesterday's. */
const FIRST = Number(process.env['HOLDFAST_SIMULATION_SEED'] ?? 1);
const FILES = 4;

export const TIMEOUT = Math.max(120_000, COUNT * 40);

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
