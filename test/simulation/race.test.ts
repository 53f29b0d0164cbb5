import { expect, test } from 'vitest';
import { race } from './race.ts';
import { mustHold } from './schedule.ts';

const SEEDS = 1_000;

// A failure names its schedule; replay.test.ts says how to run it again.
test('of two coordinators and two workers one resolves a wait and one goes on with it, in 1,000 schedules', async () => {
  let contested = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { world } = await mustHold(race.name, seed, new Map(), race.scenario, race.world(seed));
    if ([...world.outside.seenOver.values()].some((looks) => looks > 1)) contested += 1;
  }
  expect(contested).toBeGreaterThan(SEEDS / 2);
}, 600_000);
