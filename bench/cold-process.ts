import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Start {
  /** Where node_modules is, and the module with the function lies. */
  readonly folder: string;
  readonly target: string;
  readonly source: string;
  readonly env: Readonly<Record<string, string>>;
  readonly call: Call;
}

export interface Call {
  readonly path: string;
  readonly body?: object;
}

export interface Cold {
  /** Milliseconds from the spawn to the whole of the first answer. */
  readonly time: number;
  /**
   * Milliseconds of processor time that it had used by then, which tell more than the time does
   * where other work goes on.
   */
  readonly cpu: number;
  /** Bytes, when it had answered. This and `cpu` on Linux only: NaN elsewhere. */
  readonly rss: number;
}

const FRAMEWORK = 'node_modules/@google-cloud/functions-framework/build/src/main.js';
const TRY_AGAIN = 2;
const GIVE_UP = 60_000;

/** One start of a function by the framework's command, to its first answer. */
export async function coldStart(start: Start): Promise<Cold> {
  const port = await freePort();
  const began = performance.now();
  const child = launch(start, port);
  try {
    await firstAnswer(port, start.call, child);
    return { time: performance.now() - began, ...usedBy(child.pid ?? 0) };
  } finally {
    await stop(child);
  }
}

/** How many files it loads as modules until the first answer. */
export async function modulesLoaded(start: Start): Promise<number> {
  const port = await freePort();
  const child = launch(start, port, ['--import', join(import.meta.dirname, 'count-modules.ts')]);
  try {
    await firstAnswer(port, start.call, child);
    child.send('count');
    const [count] = await once(child, 'message');
    return Number(count);
  } finally {
    await stop(child);
  }
}

function launch(start: Start, port: number, options: readonly string[] = []): ChildProcess {
  const { folder, target, source, env } = start;
  const args = [`--target=${target}`, `--source=${source}`, `--port=${port}`];
  return spawn(process.execPath, [...options, join(folder, FRAMEWORK), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
  });
}

/** By SIGTERM, on which Node writes its compile cache. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function firstAnswer(port: number, call: Call, child: ChildProcess): Promise<void> {
  const until = performance.now() + GIVE_UP;
  while (performance.now() < until) {
    const status = await answer(port, call);
    if (status === 200) return;
    if (status !== undefined) throw new Error(`${call.path} answered ${status}`);
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    await sleep(TRY_AGAIN);
  }
  throw new Error('no answer');
}

/** The status of a whole answer; undefined while no server listens. */
function answer(port: number, { path, body }: Call): Promise<number | undefined> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', reject);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function usedBy(pid: number): Pick<Cold, 'cpu' | 'rss'> {
  try {
    const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; user and system time are the 12th and 13th field
    // behind it, in 1/100 s.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpu = (Number(fields[11]) + Number(fields[12])) * 10;
    return { cpu, rss: Number(rss) * 1_024 };
  } catch {
    return { cpu: Number.NaN, rss: Number.NaN };
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
