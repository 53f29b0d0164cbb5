import { httpServer } from '../../shared/http/server.ts';
import { createSteadyTime } from '../../shared/app/records/steady-time.ts';
import { toTheEnd } from '../../shared/system/to-the-end.ts';
import { frontOf, openAccessOf } from '../access.ts';
import { openWarning, requireGuarded, requireNames } from '../exposure.ts';
import { agentCards } from '../agent-cards.ts';
import { COMPILED } from '../compiled.ts';
import { composeApp } from '../compose.ts';
import { isolateAgents } from '../isolate-agents.ts';
import { loadAgents, projectAgents, reportAgents, reportRemotes } from '../load-agents.ts';
import { openNotices, openTellTarget, requireReachable } from '../open-notices.ts';
import { notePolicy } from '../../shared/app/privacy/note-policy.ts';
import { openCardSigners } from '../open-card-signers.ts';
import { openPorts } from '../open-ports.ts';
import { openToolServers } from '../open-tool-servers.ts';
import { secretsFrom } from '../open-remotes.ts';
import { openMetrics } from '../open-metrics.ts';
import { FLUSH, openTracer } from '../open-tracer.ts';
import { reportWaits } from '../report-waits.ts';
import { requireKeys } from '../require-keys.ts';
import { BadConfiguration } from '../settings.ts';
import { runCommand } from '../run-command.ts';
import { createSweeping } from '../sweeping.ts';
import { openA2AEdge } from './a2a-edge.ts';
import { readArguments, type StartOptions } from './arguments.ts';
import { listenForGrpc } from './grpc.ts';
import { holdData } from './hold-data.ts';
import { hostsOf } from './hosts.ts';
import { listen } from './listen.ts';
import { serveOperators } from './operators.ts';
import { lookCommand, tryItCommand } from './try-it.ts';

/**
 * The whole system in one process: the A2A edge, the operators' API and everything that works, over
 * the same ports.
 */
async function start(options: StartOptions): Promise<void> {
  const from = options.agents ?? projectAgents();
  const loaded = await loadAgents(from);
  const front = frontOf(options.store, process.env);
  requireGuarded(loaded, options, front);
  requireNames(loaded, options);
  const held = holdData(options);
  const opened = await openPorts(options);
  const { clock, log } = opened.ports;
  const toolServers = openToolServers({ ...options, environment: process.env, clock, log });
  const ports = { ...opened.ports, toolServers };
  const agents = await isolateAgents(loaded, { ...options, agents: from }, ports);
  await requireKeys(ports, options);
  reportAgents(ports.log, agents, options.installation);
  await reportRemotes(ports.log, agents, options.remotePrivate, secretsFrom(process.env));
  // The operators' port is known when it listens, and by then something may be to be told.
  const operatorUrl = Promise.withResolvers<string>();
  const notices = openNotices({
    targets: options.notices,
    environment: process.env,
    console: () => Promise.resolve(options.consoleUrl ?? operatorUrl.promise),
  });
  await requireReachable(notices, ports.outgoing);
  const telemetry = {
    service: 'start',
    environment: process.env,
    log: ports.log,
    throttled: false,
  };
  const tracer = await openTracer(telemetry);
  const metrics = await openMetrics(telemetry, ports.ids);
  const cardSigners = await openCardSigners(options.cardSigners, process.env);
  const [signer] = cardSigners;
  const app = {
    ...composeApp({ ...ports, ...(tracer && { tracer }), ...(metrics && { metrics }) }, agents, {
      ...options,
      ...(await openTellTarget(notices)),
      notices,
      signer,
    }),
    // On Google Cloud the platform keeps the clocks.
    steadyTime: createSteadyTime(ports, () => performance.now()),
  };
  const closing = new AbortController();
  const grpc = await listenForGrpc(options);
  const access = openAccessOf(app, options.access, front, process.env);
  const edge = openA2AEdge(
    app,
    agents,
    {
      ...options,
      access,
      grpc: grpc?.place,
      closing: closing.signal,
      cardSigners,
      behindProxy: false,
      hosts: hostsOf(options),
      onLegacyRefused: () => {
        process.stderr.write(
          'holdfast: a client of A2A v0.3 called and was refused; start with --v0.3 to serve it, too\n',
        );
      },
    },
    // A run that is accepted on the way out is the next process's.
    () => (closing.signal.aborted ? undefined : opened.queue.reserve()),
  );
  // Before its first run a new installation knows the time as well as it ever will.
  await app.steadyTime();
  await notePolicy(
    app,
    agents.all.map(({ name }) => name),
  );
  await reportWaits(app);
  opened.queue.start(async (wakeUp) => {
    const { handleWakeUp } = await import('../../shared/app/worker/handle-wake-up.ts');
    return handleWakeUp(app, wakeUp);
  });
  const sweeping = createSweeping(app);
  const server = httpServer(edge.http);
  const url = await listen(server, options.port, options.host);
  grpc?.open(await edge.shared());
  const cards = agentCards(agents, {
    url: options.baseUrl ?? url,
    v03: options.v03,
    draft: options.draft,
    traceability: options.traceability,
    security: access.security,
    // Behind another address a port of this machine says nothing.
    grpc: options.baseUrl === undefined || options.grpcUrl !== undefined ? grpc?.place : undefined,
    signers: options.baseUrl === undefined ? [] : cardSigners,
  });
  const operators = await serveOperators(app, agents, options, held.first, cards).catch(
    (error: unknown) => {
      server.close();
      throw error;
    },
  );
  operatorUrl.resolve(operators.url);
  const warning = openWarning(options, front);
  if (warning !== undefined) process.stderr.write(`holdfast: ${warning}\n`);
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    closing.abort();
    server.close();
    grpc?.drain();
    app.segments.stopAll('shutdown');
    await sweeping.stop();
    operators.stop();
    await toolServers.close();
    await opened.close();
    await tracer?.flush(FLUSH);
    await metrics?.flush(FLUSH);
    server.closeAllConnections();
    grpc?.stop();
    held.release();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void toTheEnd(stop).finally(() => process.exit(0)));
  }
  process.stdout.write(
    `${grpc === undefined ? '' : `holdfast grpc ${grpc.address}\n`}holdfast operator ${operators.url}\nholdfast ready ${url}\n\n${tryItCommand(url, agents.first, options)}\n${lookCommand(options.data)}\n`,
  );
  // What every caller needs is loaded while the first one connects.
  await edge.load();
  sweeping.begin();
}

/**
 * The same system as it is deployed: a process for each function, over emulators of Google's
 * services.
 */
async function rehearse(options: StartOptions): Promise<void> {
  if (COMPILED)
    throw new BadConfiguration(
      '--store google has emulators that only a checkout of Holdfast brings; `holdfast build` packs the functions from here',
    );
  const agents = await loadAgents(options.agents);
  const { startRehearsal } = await import('./rehearsal.ts');
  const rehearsal = await startRehearsal(options, (name, url, { pid }) => {
    // So that a process can be ended: another takes its place, and its line says so.
    const kind = name === 'grpc' ? 'service' : 'function';
    process.stdout.write(`holdfast ${kind} ${name} ${url} pid ${pid ?? 0}\n`);
  });
  const endpoints = Object.entries(rehearsal.endpoints).map((pair) => pair.join('='));
  process.stdout.write(
    [
      `holdfast emulators ${endpoints.join(' ')}`,
      ...(rehearsal.grpc === undefined ? [] : [`holdfast grpc ${rehearsal.grpc}`]),
      `holdfast operator ${rehearsal.urls.operator}`,
      `holdfast ready ${rehearsal.url}`,
      '',
      tryItCommand(rehearsal.url, agents.first, options),
      'As an operator, with a token that lasts an hour:',
      '',
      `curl -s ${rehearsal.urls.operator}/status -H "Authorization: Bearer $(curl -s '${rehearsal.operatorToken}')"`,
      '',
    ].join('\n'),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void rehearsal.stop().finally(() => process.exit(0)));
  }
}

/** Serves until it is told to stop; 0 once it does. */
export function startCommand(args: readonly string[]): Promise<number> {
  return runCommand(async () => {
    // Nothing of these is needed for a start.
    if (args.includes('--version')) {
      process.stdout.write(`holdfast ${(await import('../version.ts')).version()}\n`);
      return 0;
    }
    const options = readArguments(args, process.env);
    if (options === undefined) process.stdout.write((await import('./help.ts')).HELP);
    else if (options.store === 'google') await rehearse(options);
    else await start(options);
    return 0;
  });
}
