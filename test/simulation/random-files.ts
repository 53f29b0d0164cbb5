import { FILE_AGENTS } from './file-agents.ts';
import { clientsOf, randomWorld } from './random-scenario.ts';
import type { Randomness } from './random-schedules.ts';

/** Agents with files, several at once in few contexts, with all that a seed can put wrong. */
export const files: Randomness = {
  name: 'files',
  scenario: clientsOf([...FILE_AGENTS, 'keeps']),
  world: (seed, plan) => randomWorld(seed, plan, 300),
  share: 0.1,
};
