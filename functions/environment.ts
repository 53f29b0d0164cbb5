import type { App } from '../shared/app/app.ts';
import { faultName } from '../shared/app/wake-up.ts';
import type { VerifyCaller } from '../shared/access/verify-caller.ts';
import type { Ports } from '../shared/ports/index.ts';
import { notePolicy } from '../shared/app/privacy/note-policy.ts';
import { reportFormat } from '../shared/app/records/write-format.ts';
import { toTheEnd } from '../shared/system/to-the-end.ts';
import { composeApp } from './compose.ts';
import { callerCheck } from './callers.ts';
import { readVariables } from './deployment.ts';
import { type FunctionName, RUNNING, type ServiceName, WAITING } from './function-names.ts';
import { openGooglePorts } from './google-ports.ts';
import { isolateAgents } from './isolate-agents.ts';
import { loadAgents, type Published, reportAgents, reportRemotes } from './load-agents.ts';
import { secretsFrom } from './open-remotes.ts';
import type { openToolServers } from './open-tool-servers.ts';
import { openCardSigners } from './open-card-signers.ts';
import { openNotices, unreachable } from './open-notices.ts';
import { openMetrics } from './open-metrics.ts';
import { openTracer } from './open-tracer.ts';
import { requireKeys } from './require-keys.ts';
import { BadConfiguration } from './settings.ts';
import { readArguments, type StartOptions } from './start/arguments.ts';

export interface Deployed {
  readonly app: App;
  readonly agents: Published;
  readonly options: StartOptions;
  /**
   * Undefined if none of our accounts calls the function, and on one machine, where the queue is in
   * the process.
   */
  readonly verify: VerifyCaller | undefined;
}

interface Beside {
  /** Of a function that runs segments. */
  readonly toolServers?: typeof openToolServers | undefined;
  /** Its name where it is not the function itself: in traces, and by the format it reads. */
  readonly as?: ServiceName;
}

let deployed: Promise<Deployed> | undefined;

/**
 * What a function works with, made from its environment once per instance. Throws BadConfiguration.
 */
export function fromEnvironment(name: FunctionName, beside: Beside = {}): Promise<Deployed> {
  // Nothing else may keep the process alive yet while a transaction waits for another one.
  deployed ??= toTheEnd(() => compose(name, beside)).catch((error: unknown) => {
    // A passing fault is tried again by the next request, not only by the next instance.
    deployed = undefined;
    throw error;
  });
  return deployed;
}

/**
 * For commands that work on rows, whatever agents are published; they work also when the agents
 * can't be loaded.
 */
export async function openForMaintenance(): Promise<Pick<Deployed, 'app' | 'options'>> {
  // Its stdout is the answer.
  const { options, ports } = await open('sweeper', process.stderr);
  return {
    options,
    app: composeApp(ports, { get: () => undefined }, { ...options, notices: undefined }),
  };
}

/**
 * A store that is away says nothing about its keys: the instance serves, and a run whose key is
 * missing waits. Throws BadConfiguration.
 */
async function requireFitting(ports: Ports, options: StartOptions): Promise<void> {
  try {
    await requireKeys(ports, options);
  } catch (error) {
    if (error instanceof BadConfiguration) throw error;
    ports.log.write('warning', 'keys not checked', { fault: faultName(error) });
  }
}

async function compose(name: FunctionName, { toolServers, as = name }: Beside): Promise<Deployed> {
  const { options, ports: without, verify } = await open(name);
  const { clock, log } = without;
  const reach = { ...options, environment: process.env, clock, log };
  const ports = toolServers ? { ...without, toolServers: toolServers(reach) } : without;
  const shared = options.store === 'google';
  const [loaded] = await Promise.all([
    loadAgents(options.agents),
    requireFitting(ports, options),
    ...(shared ? [reportFormat(ports.store, as)] : []),
  ]);
  const agents = RUNNING.includes(name) ? await isolateAgents(loaded, options, ports) : loaded;
  reportAgents(ports.log, agents, options.installation);
  if (WAITING.includes(name))
    await reportRemotes(ports.log, agents, options.remotePrivate, secretsFrom(process.env));
  const telemetry = { service: as, environment: process.env, log: ports.log, throttled: true };
  const [tracer, metrics] = await Promise.all([
    openTracer(telemetry),
    openMetrics(telemetry, ports.ids),
  ]);
  // Only what tells webhooks signs for them: its key is asked for nowhere else.
  const [signer] = name === 'push' ? await openCardSigners(options.cardSigners, process.env) : [];
  const notices = openNotices({
    targets: options.notices,
    environment: process.env,
    console: () => Promise.resolve(options.consoleUrl),
  });
  if (name === 'push') {
    // The others, and the webhooks of callers, are told all the same.
    for (const { target, why } of await unreachable(notices, ports.outgoing))
      ports.log.write('error', 'notice target unreachable', { target, why });
  }
  const observed = { ...ports, ...(tracer && { tracer }), ...(metrics && { metrics }) };
  const app = composeApp(observed, agents, { ...options, notices, shared, signer });
  // One function of a deployment says so, and this one keeps no caller waiting.
  if (name === 'sweeper')
    await notePolicy(
      app,
      agents.all.map((agent) => agent.name),
    );
  return { agents, options, verify, app };
}

async function open(name: FunctionName, logTo: NodeJS.WriteStream = process.stdout) {
  // Cloud Run says so of itself; elsewhere HOLDFAST_STORE says where the rows are.
  const store = process.env['HOLDFAST_STORE'] ?? (process.env['K_SERVICE'] ? 'google' : 'embedded');
  const options = readArguments([], { ...process.env, HOLDFAST_STORE: store });
  if (options === undefined) throw new BadConfiguration('no configuration');
  return { options, ...(await portsOf(name, options, logTo)) };
}

async function portsOf(
  name: FunctionName,
  options: StartOptions,
  logTo: NodeJS.WriteStream,
): Promise<{ readonly ports: Ports; readonly verify: VerifyCaller | undefined }> {
  if (options.store !== 'google') {
    // A deployed function has no file of its own to open, and starts without what could.
    const { openPorts } = await import('./open-ports.ts');
    return { ports: (await openPorts(options)).ports, verify: undefined };
  }
  const variables = readVariables(name, process.env);
  const called = variables.has('HOLDFAST_CALLER');
  return {
    ports: openGooglePorts(variables, process.env, { ...options, logTo }),
    verify: called ? callerCheck(variables, process.env) : undefined,
  };
}
