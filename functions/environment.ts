import type { App } from '../shared/app/app.ts';
import { composeApp } from './compose.ts';
import { loadAgents, type Published } from './load-agents.ts';
import { openPorts } from './open-ports.ts';
import { readArguments, type StartOptions } from './start/arguments.ts';
import { BadConfiguration } from './settings.ts';

export interface Deployed {
  readonly app: App;
  readonly agents: Published;
  readonly options: StartOptions;
}

let deployed: Promise<Deployed> | undefined;

/** What a deployed function works with, made from its environment once per instance. Throws BadConfiguration. */
export function fromEnvironment(): Promise<Deployed> {
  deployed ??= compose();
  return deployed;
}

export async function appFromEnvironment(): Promise<App> {
  return (await fromEnvironment()).app;
}

async function compose(): Promise<Deployed> {
  const options = readArguments([], process.env);
  if (options === undefined) throw new BadConfiguration('no configuration');
  const agents = await loadAgents(options.agents, options.installation);
  const { ports } = openPorts(options);
  return { agents, options, app: composeApp(ports, agents, options) };
}
