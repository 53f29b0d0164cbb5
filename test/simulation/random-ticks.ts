import { randomWorld } from './random-scenario.ts';
import type { Randomness } from './random-schedules.ts';
import { ticking } from './ticking-agent.ts';

/** A schedule, with processes that are lost and clocks that differ. */
export const ticks: Randomness = {
  name: 'ticks',
  scenario: ticking,
  world: (seed, plan) => ({ ...randomWorld(seed, plan, 800), ticks: true }),
  share: 0.05,
};
