import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Memory } from './probe.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

export type SubjectName = 'holdfast' | 'sdk';
/** The order in which they take turns. */
export const SUBJECTS: readonly SubjectName[] = ['holdfast', 'sdk'];

/** A server under measurement: a process of its own over a new, empty folder. */
export interface Running {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
  /** Milliseconds from the spawn to the line that says it is ready. */
  readonly readyAfter: number;
  memory(): Promise<Memory>;
  /** A number that a module beside the probe knows (bench/steps/count-commits.ts). */
  ask(what: string): Promise<number>;
  stop(): Promise<void>;
}

const living = new Set<ChildProcess>();
const folders: string[] = [];
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
  // Not before: ext4 is slow to make files while many have just been removed, and only one of the
  // two makes files.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export async function start(name: SubjectName): Promise<Running> {
  return launch(name, name === 'holdfast' ? ours : theirs);
}

/** Any server that says when it is ready; `argsFor` answers its script and arguments. */
export async function launch(
  name: string,
  argsFor: (folder: string) => readonly string[],
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), `holdfast-bench-${name}-`));
  folders.push(folder);
  const args = argsFor(folder);
  const began = performance.now();
  const child = spawn(process.execPath, ['--expose-gc', '--import', './bench/probe.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  living.add(child);
  const url = await ready(child);
  const readyAfter = performance.now() - began;
  const ask = async (what: string): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(what);
    const [answer] = await answered;
    return answer;
  };
  return {
    name,
    url,
    folder,
    readyAfter,
    pid: child.pid ?? 0,
    memory: async () => (await ask('memory')) as Memory,
    ask: async (what) => Number(await ask(what)),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      living.delete(child);
    },
  };
}

function ours(folder: string): readonly string[] {
  const agents = 'test/fixtures/agents/scripted.ts';
  const options = { port: '0', data: join(folder, 'data'), agents };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return ['functions/cli/main.ts', 'start', ...flags];
}

/**
 * Its tables are made beforehand: a migration is an operator's step there, and no part of its
 * start.
 */
export function theirs(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'tasks.db');
  const cli = 'bench/node_modules/@a2a-js/sdk/dist/cli/a2a_db.js';
  const upgrade = [cli, 'upgrade', '--store', 'tasks', '--url', `sqlite:${file}`];
  execFileSync(process.execPath, upgrade, { cwd: ROOT, stdio: 'ignore' });
  return ['bench/peer.mjs', file];
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new TypeError('no standard output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, url] = /^\w+ ready (\S+)$/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`a server ended with ${code} before ready`)));
  });
}

/** One measurement of each, in turn, so often: a machine that grows slower meets both alike. */
export async function interleaved<T>(
  rounds: number,
  measure: (name: SubjectName, round: number) => Promise<T>,
): Promise<ReadonlyMap<SubjectName, readonly T[]>> {
  const found = new Map<SubjectName, T[]>(SUBJECTS.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of SUBJECTS) found.get(name)?.push(await measure(name, round));
  }
  return found;
}

/**
 * Runs both at once: for measures of what a server has gathered. One that is not asked costs next
 * to nothing.
 */
export async function withBoth<T>(
  work: (servers: ReadonlyMap<SubjectName, Running>) => Promise<T>,
): Promise<T> {
  const servers = new Map<SubjectName, Running>();
  try {
    for (const name of SUBJECTS) servers.set(name, await start(name));
    return await work(servers);
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}
