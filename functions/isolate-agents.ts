import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinedAgent } from '../shared/agent/index.ts';
import { errorFacts } from '../shared/app/error-facts.ts';
import type { Ports } from '../shared/ports/index.ts';
import { COMPILED } from './compiled.ts';
import { publish, type Published } from './load-agents.ts';
import type { StartOptions } from './start/arguments.ts';

/** `agents`: the module that they come from. */
type Wanted = Pick<StartOptions, 'isolation' | 'agents'>;

/**
 * The same agents, those with their code in a process of their own that say so themselves, or of
 * which the installation says so.
 */
export async function isolateAgents(
  published: Published,
  { agents = '', isolation: usual }: Wanted,
  { clock, log, settings, toolServers }: Ports,
): Promise<Published> {
  const isProcess = ({ isolation = usual }: DefinedAgent): boolean => isolation === 'process';
  if (!published.all.some(isProcess)) return published;
  const { forkedAgents } = await import('../shared/isolation/forked-agent.ts');
  const { isolated } = await import('../shared/isolation/isolated-agent.ts');
  const bounds = { silence: settings.agentSilence, memory: settings.agentMemory };
  const stray = (agent: string, error: unknown): void => {
    const { fault, ...facts } = errorFacts(error);
    log.write('warning', 'agent error', { agent, where: 'stray', fault, ...facts });
  };
  const open = forkedAgents({ script: scriptOf(), agents, bounds });
  const isolation = { open, clock, bounds, toolServers, stray };
  const all = published.all.map((agent) => (isProcess(agent) ? isolated(agent, isolation) : agent));
  return publish(all, agents);
}

/** Beside this file; in a bundle, whose chunks lie in a folder of their own, beside that. */
function scriptOf(): string {
  const name = `agent-process${COMPILED ? '.js' : '.ts'}`;
  const beside = join(import.meta.dirname, name);
  return existsSync(beside) ? beside : join(import.meta.dirname, '..', name);
}
