import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DefinedAgent } from '../shared/agent/index.ts';
import type { Agents } from '../shared/app/agents.ts';
import type { Installation } from '../shared/app/app.ts';
import { notPublishable } from '../shared/app/privacy/policy.ts';
import type { Secrets } from '../shared/remote/credential.ts';
import type { Log } from '../shared/ports/log.ts';
import { BadConfiguration } from './settings.ts';

/** The published agents, the default one first. */
export interface Published extends Agents {
  readonly all: readonly DefinedAgent[];
  readonly first: DefinedAgent;
}

/**
 * Loads a module whose default export is an agent or a list of them; agents, unless another one is
 * named. That import is a literal, so that a bundle takes it along. Throws BadConfiguration.
 */
export function loadAgents(path: string | undefined): Promise<Published> {
  if (path === undefined) return load('agents/index.ts', () => import('../agents/index.ts'));
  return load(path, () => import(pathToFileURL(resolve(path)).href) as Promise<AgentsModule>);
}

interface AgentsModule {
  readonly default?: unknown;
}

async function load(name: string, open: () => Promise<AgentsModule>): Promise<Published> {
  let module: AgentsModule;
  try {
    module = await open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`the agents module ${name} can't be loaded: ${reason}`);
  }
  return publish(Array.isArray(module.default) ? module.default : [module.default], name);
}

export function publish(values: readonly unknown[], from: string): Published {
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
  const fourEyes = all.find(({ publication }) => publication?.decisions?.fourEyes === true);
  if (fourEyes !== undefined)
    throw new BadConfiguration(
      `${from}: the agent ${fourEyes.name} has publication.decisions.fourEyes, which compares the names of approver and caller; callers have no names here, so it would protect nothing. Leave it out: only operators decide unless owner is set`,
    );
  return { all, first, get: (name) => byName.get(name) };
}

/**
 * Says loudly which agents take no message because what they answer may not be kept (G6): they
 * refuse each send by themselves, and everything else is served.
 */
export function reportAgents(log: Log, { all }: Published, installation: Installation): void {
  for (const agent of all) {
    const why = notPublishable(agent, installation);
    if (why !== undefined)
      log.write('error', 'agent takes no messages', { agent: agent.name, why });
  }
}

/**
 * Says at start which remotes can't be reached as they are declared here: each call to them would
 * fail at once.
 */
export async function reportRemotes(
  log: Log,
  { all }: Published,
  remotePrivate: readonly string[],
  secrets: Secrets,
): Promise<void> {
  if (all.every(({ remotes = [] }) => remotes.length === 0)) return;
  // Only what has remotes loads what knows about them.
  const { configurationFault } = await import('../shared/remote/configuration-fault.ts');
  for (const { name: agent, remotes = [] } of all) {
    for (const remote of remotes) {
      const why = await configurationFault(remote, remotePrivate, secrets);
      if (why !== undefined)
        log.write('error', 'remote is misconfigured', { agent, remote: remote.name, why });
    }
  }
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
