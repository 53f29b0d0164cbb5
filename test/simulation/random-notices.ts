import { clientsOf, randomWorld } from './random-scenario.ts';
import type { Randomness } from './random-schedules.ts';
import { WAITING_AGENTS } from './waiting-agents.ts';

/** Runs that wait and fail, with targets that operators want told. Looks make many more calls. */
export const notices: Randomness = {
  name: 'notices',
  scenario: clientsOf([...WAITING_AGENTS, 'asks', 'fails', 'asks-leave-thinking']),
  world: (seed, plan) => ({ ...randomWorld(seed, plan, 1_500), notices: true }),
  share: 0.05,
};
