import type { Limits } from '../../domain/budget.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Agent } from '../agents.ts';

/** What a run of this agent may use: the agent's own limits, and the installation's where it has none (G16). */
export function limitsOf(settings: Settings, agent: Agent): Limits {
  const { delegatedBytes: bytes, delegations, rounds } = settings;
  return { rounds, delegations, bytes, ...agent.limits };
}
