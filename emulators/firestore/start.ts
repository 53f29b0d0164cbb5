import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findJar, HOW_TO_GET_IT } from './find-jar.ts';

export interface Emulator {
  /** As FIRESTORE_EMULATOR_HOST wants it. */
  readonly host: string;
  stop(): Promise<void>;
}

const READY_WITHIN = 60_000;
const STARTS = 3;

/** The Firestore emulator that runs already, or a new one on a free port. */
export async function startEmulator(env: NodeJS.ProcessEnv = process.env): Promise<Emulator> {
  const running = env['FIRESTORE_EMULATOR_HOST'];
  if (running !== undefined && running !== '') {
    return { host: running, stop: () => Promise.resolve() };
  }
  const jar = findJar(env);
  if (jar === undefined) throw new Error(HOW_TO_GET_IT);
  for (let start = 1; ; start += 1) {
    const outcome = await startOn(await freePort(), jar, env);
    if (!(outcome instanceof Error)) return outcome;
    // Another process may have taken the free port meanwhile.
    if (start === STARTS || !/in use|failed to bind/i.test(outcome.message)) throw outcome;
  }
}

/**
 * Kills it and starts it anew on its port with the rows that a project had: by an export, because
 * it keeps nothing by itself. No call may be on its way. Each document then has a new version, as
 * after a restored backup.
 */
export async function restartEmulator(
  emulator: Emulator,
  project: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Emulator> {
  const jar = findJar(env);
  if (jar === undefined) throw new Error(HOW_TO_GET_IT);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-export-'));
  try {
    const exported = await fetch(`http://${emulator.host}/emulator/v1/projects/${project}:export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        database: `projects/${project}/databases/(default)`,
        export_directory: folder,
        export_name: 'all',
      }),
    });
    if (!exported.ok) throw new Error(`the export failed: ${await exported.text()}`);
    await emulator.stop();
    const port = Number(emulator.host.split(':')[1]);
    const seed = join(folder, 'all', 'all.overall_export_metadata');
    const outcome = await startOn(port, jar, env, [`--seed_from_export=${seed}`]);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startOn(
  port: number,
  jar: string,
  env: NodeJS.ProcessEnv,
  more: readonly string[] = [],
): Promise<Emulator | Error> {
  const host = `127.0.0.1:${port}`;
  // The supervisor ends it with this process. `java -jar` does not work: the jar names no main
  // class. Serial GC, one compiler and a small heap: half the memory at the same speed.
  const java = env['JAVA_HOME'] === undefined ? 'java' : join(env['JAVA_HOME'], 'bin', 'java');
  const options = ['-Duser.language=en', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx320m'];
  const main = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';
  const flags = ['--host=127.0.0.1', `--port=${port}`, '--database-mode=firestore-native', ...more];
  const command = [java, ...options, '-cp', jar, main, 'start', ...flags];
  const supervisor = spawn(
    process.execPath,
    [join(import.meta.dirname, 'supervise.ts'), ...command],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-4_000);
  };
  supervisor.stdout.on('data', keep);
  supervisor.stderr.on('data', keep);
  supervisor.stdin.on('error', () => {});
  const exited = once(supervisor, 'exit');
  const ended = exited.then(
    () => new Error(`The Firestore emulator did not start.\n${output}\n${HOW_TO_GET_IT}`),
  );
  const stop = async (): Promise<void> => {
    supervisor.stdin.destroy();
    await exited;
  };
  const outcome = await Promise.race([ended, ready(host)]);
  if (outcome instanceof Error) {
    await stop();
    return outcome;
  }
  return { host, stop };
}

/** It answers "Ok" on the same port as soon as it serves. */
async function ready(host: string): Promise<Error | 'ready'> {
  const until = performance.now() + READY_WITHIN;
  while (performance.now() < until) {
    const answer = await fetch(`http://${host}/`).catch(() => undefined);
    if (answer?.ok === true) return 'ready';
    await sleep(50);
  }
  return new Error(`The Firestore emulator did not answer within ${READY_WITHIN} ms.`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
