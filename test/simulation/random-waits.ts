import { clientsOf, randomWorld } from './random-scenario.ts';
import type { Randomness } from './random-schedules.ts';
import { WAITING_AGENTS } from './waiting-agents.ts';

/**
 * Runs that wait, several at once, with everything that a seed can put wrong. Their many looks make
 * more calls to fail at.
 */
export const waits: Randomness = {
  name: 'waits',
  scenario: clientsOf([...WAITING_AGENTS, 'asks-leave-thinking']),
  world: (seed, plan) => randomWorld(seed, plan, 500),
  share: 0.1,
};
