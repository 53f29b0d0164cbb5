import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cardProblems } from '../shared/agent/card-fields.ts';
import type { DefinedAgent } from '../shared/agent/index.ts';
import type { Agents } from '../shared/app/agents.ts';
import type { Installation } from '../shared/app/app.ts';
import { notPublishable } from '../shared/app/privacy/policy.ts';
import type { Secrets } from '../shared/remote/credential.ts';
import type { Log } from '../shared/ports/log.ts';
import { COMPILED } from './compiled.ts';
import { loadProblem } from './load-problem.ts';
import { BadConfiguration } from './settings.ts';

/** The published agents, the default one first. */
export interface Published extends Agents {
  readonly all: readonly DefinedAgent[];
  readonly first: DefinedAgent;
}

/**
 * Where a project has its agents, unless --agents names others. A checkout's own code imports its
 * own agents instead.
 */
export const projectAgents = (): string | undefined => (COMPILED ? 'agents/index.ts' : undefined);

/**
 * Loads a module whose default export is an agent or a list of them; agents, unless another one is
 * named. That import is a literal, so that a bundle takes it along. Throws BadConfiguration.
 */
export function loadAgents(path: string | undefined): Promise<Published> {
  if (path === undefined) return load('agents/index.ts', () => import('../agents/index.ts'));
  if (!existsSync(resolve(path)))
    throw new BadConfiguration(
      `there is no agents module ${path} here (in ${process.cwd()}); name yours with --agents`,
    );
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
    throw new BadConfiguration(`the agents module ${name} can't be loaded\n${loadProblem(error)}`);
  }
  if (module.default === undefined) {
    const others = Object.keys(module).join(', ');
    const has = others === '' ? 'nothing' : others;
    throw new BadConfiguration(
      `${name} has no default export (it exports ${has}): write \`export default defineAgent({ ... })\`, or a list of agents`,
    );
  }
  return publish(Array.isArray(module.default) ? module.default : [module.default], name);
}

export function publish(values: readonly unknown[], from: string): Published {
  const all = values.filter(isDefinedAgent);
  const [first] = all;
  if (first === undefined || all.length !== values.length)
    throw new BadConfiguration(`${from}: ${notAgents(values)}`);
  const byName = new Map(all.map((agent) => [agent.name, agent]));
  const twice = all.find((agent) => byName.get(agent.name) !== agent);
  if (twice !== undefined)
    throw new BadConfiguration(
      `${from}: two agents have the name ${JSON.stringify(twice.name)}; each needs one of its own`,
    );
  // Those of defineAgent have been checked; one that was put together by hand has not.
  for (const { card, name } of all) {
    const [problem] = cardProblems(card);
    if (problem !== undefined)
      throw new BadConfiguration(`${from}: the card of ${JSON.stringify(name)}: ${problem}`);
  }
  return { all, first, get: (name) => byName.get(name) };
}

/** Which of the default export is no agent, and what it is instead. */
function notAgents(values: readonly unknown[]): string {
  const rule = 'it must be what defineAgent returns, or a list of such';
  if (values.length === 0) return `the default export is an empty list; ${rule}`;
  const at = values.findIndex((value) => !isDefinedAgent(value));
  const what = values.length === 1 ? 'the default export' : `entry ${at} of the default export`;
  return `${what} is ${kindOf(values[at])}; ${rule}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return `a value of type ${typeof value}`;
  return value instanceof Promise
    ? 'a promise; await it'
    : `an object with ${Object.keys(value).slice(0, 8).join(', ') || 'nothing in it'}`;
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
