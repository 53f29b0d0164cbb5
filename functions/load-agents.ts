import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DefinedAgent } from '../shared/agent/index.ts';
import type { Agents } from '../shared/app/agents.ts';
import type { Installation } from '../shared/app/app.ts';
import { notPublishable } from '../shared/app/privacy/policy.ts';
import { BadConfiguration } from './settings.ts';

/** Keeps full answers; see seed rule 282-15. */
const DEFAULT_INSTALLATION: Installation = { answer: 'metadata', audit: 'metadata' };

/** The published agents, the default one first. */
export interface Published extends Agents {
  readonly all: readonly DefinedAgent[];
  readonly first: DefinedAgent;
}

/**
 * Loads a module whose default export is an agent or a list of them; agents, unless another one is named. That
 * import is a literal, so that a bundle takes it along. Throws BadConfiguration.
 */
export function loadAgents(
  path: string | undefined,
  installation: Installation = DEFAULT_INSTALLATION,
): Promise<Published> {
  if (path === undefined)
    return load('agents/index.ts', () => import('../agents/index.ts'), installation);
  return load(
    path,
    () => import(pathToFileURL(resolve(path)).href) as Promise<AgentsModule>,
    installation,
  );
}

interface AgentsModule {
  readonly default?: unknown;
}

async function load(
  name: string,
  open: () => Promise<AgentsModule>,
  installation: Installation,
): Promise<Published> {
  let module: AgentsModule;
  try {
    module = await open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`the agents module ${name} can't be loaded: ${reason}`);
  }
  return publish(
    Array.isArray(module.default) ? module.default : [module.default],
    name,
    installation,
  );
}

export function publish(
  values: readonly unknown[],
  from: string,
  installation: Installation = DEFAULT_INSTALLATION,
): Published {
  const all = values.filter(isDefinedAgent);
  const [first] = all;
  if (first === undefined || all.length !== values.length) {
    throw new BadConfiguration(
      `${from} must have a default export that is what defineAgent returns, or a list of such`,
    );
  }
  const byName = new Map(all.map((agent) => [agent.name, agent]));
  if (byName.size !== all.length)
    throw new BadConfiguration(`${from}: two agents have the same name`);
  const refused = all.flatMap((agent) => notPublishable(agent, installation) ?? []);
  if (refused.length > 0) throw new BadConfiguration(`${from}: ${refused.join('; ')}`);
  return { all, first, get: (name) => byName.get(name) };
}

function isDefinedAgent(value: unknown): value is DefinedAgent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'card' in value &&
    'run' in value &&
    'name' in value
  );
}
