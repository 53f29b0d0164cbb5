import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { QUEUE_NAMES, queueId } from '../../shared/gcp/tasks/route.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { FUNCTIONS, type FunctionName, type ServiceName, SERVICES } from '../function-names.ts';
import { BadConfiguration, variableOf } from '../settings.ts';
import type { StartOptions } from './arguments.ts';
import { hostsOf } from './hosts.ts';
import { environmentFor, variablesFor } from './rehearsal-environment.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const EMULATORS = at('../../emulators/main.ts');
const PRELOAD = new URL('./in-rehearsal.ts', import.meta.url).href;
const FRAMEWORK = at('../../node_modules/@google-cloud/functions-framework/build/src/main.js');

const PREFIX = 'holdfast';
const GENERATION = '1';
export const BUCKET = 'holdfast-content';
const LOCATION = 'local';
const LOOPBACK = '127.0.0.1';
/** What the functions framework says once it listens, and the gRPC service as well. */
const SERVING = /^Serving /;

export interface Rehearsal {
  readonly url: string;
  /** Where the emulators are, as variables of a function. */
  readonly endpoints: Variables;
  readonly urls: Readonly<Record<FunctionName, string>>;
  /** Host and port of gRPC, where it is served. */
  readonly grpc?: string;
  /**
   * Answers a token for the operator function, in the name of the operator that is there unless
   * HOLDFAST_OPERATORS says others.
   */
  readonly operatorToken: string;
  /** The processes by function, so that a test can end one of them. */
  readonly processes: ReadonlyMap<ServiceName, ChildProcess>;
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

/** What the emulators must hold before a function starts, by full names. */
export interface Wanted {
  readonly bucket: string;
  readonly key: string;
  readonly queues: readonly string[];
}

/** Emulators that run: where they are, as variables of a function. */
export interface Emulators {
  readonly endpoints: Variables;
  stop(): Promise<void>;
}

/** Called for each process that serves, the first ones and their replacements. */
export type OnFunction = (name: ServiceName, url: string, child: ChildProcess) => void;

/**
 * The deployment on one machine: one process a function under the functions framework, as Google
 * runs them, over emulators of Firestore, Cloud Storage, Cloud Tasks and Cloud KMS; the schedule of
 * the sweeper is kept here. A function that ends is started again, as an instance would be. With a
 * `grpcPort` the gRPC service is there, too, as a deployment has it only where that is asked for.
 */
export async function startRehearsal(
  options: StartOptions,
  onFunction: OnFunction = () => undefined,
  openEmulators: (wanted: Wanted) => Promise<Emulators> = emulatorsOfTheirOwn,
): Promise<Rehearsal> {
  const project = options.project ?? 'holdfast-rehearsal';
  const key = `projects/${project}/locations/${LOCATION}/keyRings/holdfast/cryptoKeys/data-keys`;
  const queues = QUEUE_NAMES.map(
    (name) =>
      `projects/${project}/locations/${LOCATION}/queues/${queueId(`${PREFIX}-${name}`, GENERATION, 0)}`,
  );
  const emulators = await openEmulators({ bucket: BUCKET, key, queues });
  const speaksGrpc = options.grpcPort !== undefined;
  const names: readonly ServiceName[] = speaksGrpc ? SERVICES : FUNCTIONS;
  const wanted: Partial<Record<ServiceName, number>> = {
    a2a: options.port,
    ...(options.grpcPort !== undefined && { grpc: options.grpcPort }),
  };
  const ports = new Map<ServiceName, number>();
  for (const name of names)
    ports.set(name, wanted[name] || (await freePort(new Set(ports.values()))));
  // Only the edge may be told to listen on the network.
  const hostOf = (name: ServiceName): string =>
    name === 'a2a' || name === 'grpc' ? options.host : LOOPBACK;
  const urlOf = (name: ServiceName): string =>
    `http://${hostOf(name).includes(':') ? `[${hostOf(name)}]` : hostOf(name)}:${ports.get(name) ?? 0}`;
  const grpc = speaksGrpc ? new URL(urlOf('grpc')).host : undefined;
  const invoker = `invoker@${project}.example`;
  const scheduler = `scheduler@${project}.example`;
  const variables: Variables = {
    ...handedOn(options),
    ...emulators.endpoints,
    HOLDFAST_STORE: 'google',
    GOOGLE_CLOUD_PROJECT: project,
    METADATA_SERVER_DETECTION: 'none',
    HOLDFAST_DATABASE: options.database,
    HOLDFAST_BUCKET: BUCKET,
    HOLDFAST_KMS: key,
    HOLDFAST_LOCATION: LOCATION,
    HOLDFAST_QUEUE_PREFIX: PREFIX,
    HOLDFAST_QUEUE_SHARDS: '1',
    HOLDFAST_QUEUE_GENERATION: GENERATION,
    HOLDFAST_WORKER_URL: urlOf('worker'),
    HOLDFAST_PROJECTOR_URL: urlOf('projector'),
    HOLDFAST_COORDINATOR_URL: urlOf('coordinator'),
    HOLDFAST_PUSH_URL: urlOf('push'),
    HOLDFAST_INVOKER: invoker,
    // There is no front end of Google's here: each function checks the signature.
    HOLDFAST_CALLERS: 'signature',
    HOLDFAST_BASE_URL: options.baseUrl ?? urlOf('a2a'),
    HOLDFAST_CONSOLE_URL: options.consoleUrl ?? urlOf('operator'),
    ...(grpc !== undefined && { HOLDFAST_GRPC_URL: options.grpcUrl ?? grpc }),
  };

  const operator = `operator@${project}.example`;
  const operators = { [operator]: { agents: ['*'], may: RIGHTS } };
  const tokenOf = (email: string, audience: string): string =>
    `${emulators.endpoints['HOLDFAST_TOKEN_ISSUER'] ?? ''}/identity?${new URLSearchParams({ email, audience })}`;

  const processes = new Map<ServiceName, ChildProcess>();
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(name: ServiceName): Promise<void> {
    const source = at(`../${name}/index.ts`);
    const framework = [FRAMEWORK, `--target=${name}`, `--source=${source}`];
    // Whose variables it has.
    const like = name === 'grpc' ? 'a2a' : name;
    const child = spawn(
      process.execPath,
      [`--import=${PRELOAD}`, ...(name === 'grpc' ? [source] : framework)],
      {
        env: {
          ...variablesFor(like, { HOLDFAST_OPERATORS: JSON.stringify(operators) }),
          ...environmentFor(like, process.env),
          ...(name === 'push' && urlsOf(options, process.env)),
          // The framework says nothing in production.
          NODE_ENV: 'development',
          ...variablesFor(like, variables),
          HOLDFAST_AUDIENCE: urlOf(name),
          HOLDFAST_CALLER: name === 'sweeper' ? scheduler : invoker,
          HOLDFAST_HOST: hostOf(name),
          PORT: String(ports.get(name) ?? 0),
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    processes.set(name, child);
    child.stdin.on('error', () => undefined);
    await lineOf(child, `the ${name === 'grpc' ? 'service' : 'function'} ${name}`, SERVING);
    // The function's own log goes to where ours goes.
    child.stdout.pipe(process.stderr, { end: false });
    const again = (): void => {
      if (!signal.aborted) void run(name).catch(() => again());
    };
    if (child.exitCode === null && child.signalCode === null) child.once('exit', again);
    else again();
    onFunction(name, urlOf(name), child);
  }

  // As Cloud Scheduler: the next call waits for the answer to the last one.
  const sweeping = (async (): Promise<void> => {
    while (!signal.aborted) {
      await wait(options.settings.sweepInterval, undefined, { signal }).catch(() => undefined);
      await callSweeper().catch(() => undefined);
    }
  })();
  async function callSweeper(): Promise<void> {
    const issued = await fetch(tokenOf(scheduler, urlOf('sweeper')), { signal });
    const headers = { Authorization: `Bearer ${await issued.text()}` };
    await fetch(urlOf('sweeper'), { method: 'POST', headers, signal });
  }
  async function stop(): Promise<void> {
    stopping.abort();
    await sweeping;
    await Promise.all([...processes.values()].map(end));
    await emulators.stop();
  }

  try {
    await Promise.all(names.map(run));
  } catch (error) {
    await stop();
    throw error;
  }
  const urls = {
    a2a: urlOf('a2a'),
    worker: urlOf('worker'),
    projector: urlOf('projector'),
    coordinator: urlOf('coordinator'),
    push: urlOf('push'),
    operator: urlOf('operator'),
    sweeper: urlOf('sweeper'),
  };
  const { endpoints } = emulators;
  const operatorToken = tokenOf(operator, urlOf('operator'));
  return {
    url: urls.a2a,
    endpoints,
    urls,
    ...(grpc !== undefined && { grpc }),
    operatorToken,
    processes,
    stop,
  };
}

async function emulatorsOfTheirOwn(wanted: Wanted): Promise<Emulators> {
  const child = spawn(process.execPath, [EMULATORS, JSON.stringify(wanted)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const endpoints = JSON.parse(await lineOf(child, 'the emulators', /^\{/)) as Variables;
  return {
    endpoints,
    async stop() {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** As Cloud Run does: asked first, killed after a while. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(late);
}

/** URLs of targets of notices, which a deployed push function has from Secret Manager. */
function urlsOf({ notices }: StartOptions, environment: typeof process.env): Variables {
  return Object.fromEntries(
    notices.flatMap(({ at }) => {
      const url = 'secret' in at ? environment[at.secret] : undefined;
      return 'secret' in at && url !== undefined ? [[at.secret, url]] : [];
    }),
  );
}

/** What the command line says and the functions read from their environment. */
function handedOn(options: StartOptions): Variables {
  const { said, settings } = options;
  return {
    ...said,
    // Its form is for a person who reads it.
    HOLDFAST_LOG: options.log,
    // Also what loopback is called by.
    HOLDFAST_ALLOW_HOST: (hostsOf(options) ?? []).join(','),
    ...(options.allowPrivateWebhooks && { HOLDFAST_ALLOW_PRIVATE_WEBHOOKS: '1' }),
    ...(options.agents !== undefined && { HOLDFAST_AGENTS: options.agents }),
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        variableOf(name as keyof typeof settings),
        String(value),
      ]),
    ),
  };
}

/**
 * The first line of its output that is the wanted one, whatever it logs before; what is not goes to
 * our log. Throws BadConfiguration when it ends first.
 */
async function lineOf(child: ChildProcess, what: string, wanted: RegExp): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error(`${what}: no output`);
  const lines = createInterface({ input: stdout });
  const ended = once(child, 'exit').then(() => {
    throw new BadConfiguration(`${what} did not start; see the lines above`);
  });
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      if (wanted.test(line)) resolve(line);
      else process.stderr.write(`${line}\n`);
    });
  });
  const line = await Promise.race([found, ended]);
  ended.catch(() => undefined);
  lines.close();
  stdout.resume();
  return line;
}

/**
 * Below the range from which systems take ports for connections: a function that restarts finds its
 * own port free. Asked for one after the other, so that no two functions get the same.
 */
async function freePort(taken: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
    });
    if (free && !taken.has(port)) return port;
  }
}
