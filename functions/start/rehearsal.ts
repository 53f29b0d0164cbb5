import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { queueId } from '../../shared/gcp/tasks/route.ts';
import { FUNCTIONS, type FunctionName } from '../deployment.ts';
import { BadConfiguration, variableOf } from '../settings.ts';
import type { StartOptions } from './arguments.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const EMULATORS = at('../../test/emulators/main.ts');
const FRAMEWORK = at('../../node_modules/@google-cloud/functions-framework/build/src/main.js');

const PREFIX = 'holdfast';
const GENERATION = '1';
const BUCKET = 'holdfast-content';
const LOCATION = 'local';

export interface Rehearsal {
  readonly url: string;
  /** The processes by function, so that a test can end one of them. */
  readonly processes: ReadonlyMap<FunctionName, ChildProcess>;
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

/**
 * The deployment on one machine: one process a function under the functions framework, as Google runs them, over emulators of
 * Firestore, Cloud Storage, Cloud Tasks and Cloud KMS; the schedule of the sweeper is kept here. A function that ends is started
 * again, as an instance would be.
 */
export async function startRehearsal(options: StartOptions): Promise<Rehearsal> {
  const project = options.project ?? 'holdfast-rehearsal';
  const key = `projects/${project}/locations/${LOCATION}/keyRings/holdfast/cryptoKeys/data-keys`;
  const queues = ['runs', 'projections'].map(
    (name) =>
      `projects/${project}/locations/${LOCATION}/queues/${queueId(`${PREFIX}-${name}`, GENERATION, 0)}`,
  );
  const emulators = spawn(
    process.execPath,
    [EMULATORS, JSON.stringify({ bucket: BUCKET, key, queues })],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const endpoints = JSON.parse(await firstLine(emulators, 'the emulators')) as Variables;
  const ports = new Map<FunctionName, number>();
  for (const name of FUNCTIONS)
    ports.set(name, name === 'a2a' && options.port !== 0 ? options.port : await freePort());
  const urlOf = (name: FunctionName): string => `http://127.0.0.1:${ports.get(name) ?? 0}`;
  const variables: Variables = {
    ...endpoints,
    HOLDFAST_STORE: 'google',
    GOOGLE_CLOUD_PROJECT: project,
    METADATA_SERVER_DETECTION: 'none',
    HOLDFAST_DATABASE: options.database,
    HOLDFAST_BUCKET: BUCKET,
    HOLDFAST_KMS_KEY: key,
    HOLDFAST_LOCATION: LOCATION,
    HOLDFAST_QUEUE_PREFIX: PREFIX,
    HOLDFAST_QUEUE_SHARDS: '1',
    HOLDFAST_QUEUE_GENERATION: GENERATION,
    HOLDFAST_WORKER_URL: urlOf('worker'),
    HOLDFAST_PROJECTOR_URL: urlOf('projector'),
    HOLDFAST_INVOKER: `invoker@${project}.example`,
    HOLDFAST_BASE_URL: options.baseUrl ?? urlOf('a2a'),
    ...handedOn(options),
  };

  const processes = new Map<FunctionName, ChildProcess>();
  let stopping = false;
  async function run(name: FunctionName): Promise<void> {
    const child = spawn(
      process.execPath,
      [
        FRAMEWORK,
        `--target=${name}`,
        `--source=${at(`../${name}/index.ts`)}`,
        `--port=${ports.get(name) ?? 0}`,
      ],
      {
        env: { ...process.env, ...variables, HOLDFAST_AUDIENCE: urlOf(name) },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    processes.set(name, child);
    child.once('exit', () => {
      if (!stopping) void run(name).catch(() => undefined);
    });
    await firstLine(child, `the function ${name}`);
    // The function's own log goes to where ours goes.
    child.stdout?.pipe(process.stderr);
  }
  await Promise.all(FUNCTIONS.map(run));

  const schedule = setInterval(
    () => void fetch(urlOf('sweeper'), { method: 'POST' }).catch(() => undefined),
    options.settings.sweepInterval,
  );
  return {
    url: urlOf('a2a'),
    processes,
    async stop() {
      stopping = true;
      clearInterval(schedule);
      const all = [...processes.values()];
      for (const child of all) child.kill('SIGTERM');
      for (const child of all) if (child.exitCode === null) await once(child, 'exit');
      emulators.stdin.end();
      await once(emulators, 'exit');
    },
  };
}

/** What the command line says and the functions read from their environment. */
function handedOn(options: StartOptions): Variables {
  const { settings } = options;
  return {
    HOLDFAST_LOG: options.log,
    HOLDFAST_IDEMPOTENCY: options.idempotency,
    HOLDFAST_ANSWER_CEILING: options.installation.answer,
    HOLDFAST_AUDIT_CEILING: options.installation.audit,
    ...(options.v03 && { HOLDFAST_V03: 'true' }),
    ...(options.agents !== undefined && { HOLDFAST_AGENTS: options.agents }),
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        variableOf(name as keyof typeof settings),
        String(value),
      ]),
    ),
  };
}

async function firstLine(child: ChildProcess, what: string): Promise<string> {
  if (child.stdout === null) throw new Error(`${what}: no output`);
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new BadConfiguration(`${what} did not start; see the lines above`);
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => undefined);
  lines.close();
  child.stdout.resume();
  return line;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
