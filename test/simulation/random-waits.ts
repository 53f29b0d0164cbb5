import { clientsOf, randomWorld } from './random-scenario.ts';
import type { Randomness } from './random-schedules.ts';
import { STEPPING_AGENT } from './stepping-agent.ts';
import { WAITING_AGENTS } from './waiting-agents.ts';

const stepping = Array.from({ length: 4 }, () => STEPPING_AGENT);

/**
 * Runs that wait, several at once, with everything that a seed can put wrong. Their many looks make
 * more calls to fail at. Some of them are functions of steps, to which events come.
 */
export const waits: Randomness = {
  name: 'waits',
  scenario: clientsOf([...WAITING_AGENTS, 'asks-leave-thinking', ...stepping]),
  world: (seed, plan) => randomWorld(seed, plan, 500),
  share: 0.1,
};
