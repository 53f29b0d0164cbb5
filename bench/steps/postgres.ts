import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { workOf } from '../machine.ts';

const run = promisify(execFile);

/** Where distributions put its programs. */
const PLACES = ['/usr/lib/postgresql/*/bin', '/usr/local/bin', '/opt/homebrew/bin', '/usr/bin'];

export interface Postgres {
  readonly version: string;
  /**
   * The address of a new database of that name. `flushed`: each commit reaches the disk before it
   * is answered.
   */
  database(name: string, flushed: boolean): Promise<string>;
  /** How many transactions have written so far. */
  written(name: string): Promise<number>;
  /** Milliseconds of processor time of all its processes that live. */
  cpu(): number;
  stop(): Promise<void>;
}

/** A server of its own in a new folder, on a free port, as initdb makes it: nothing is tuned. */
export async function startPostgres(): Promise<Postgres> {
  const bin = PLACES.flatMap((place) => globSync(place)).findLast((place) =>
    ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(place, name))),
  );
  if (bin === undefined)
    throw new Error(
      'no initdb, postgres and psql here: install PostgreSQL (apt-get install postgresql)',
    );
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-postgres-'));
  const user = ownerOf(folder);
  const data = join(folder, 'data');
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'bench', '-A', 'trust', '--no-instructions'],
    user,
  );
  const port = await freePort();
  const settings = ['-p', `${port}`, '-h', '127.0.0.1', '-k', folder];
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
    ...user,
    stdio: 'ignore',
  });
  process.once('exit', () => server.kill('SIGKILL'));
  const ask = async (database: string, sql: string): Promise<string> => {
    const to = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'bench', '-d', database];
    return (await run(join(bin, 'psql'), [...to, '-Atc', sql])).stdout.trim();
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await ask('postgres', 'SELECT 1');
      break;
    } catch (error) {
      if (tries > 300 || server.exitCode !== null) throw error;
      await wait(100);
    }
  }
  return {
    version: (await ask('postgres', 'SHOW server_version')).split(' ')[0] ?? '',
    async database(name, flushed) {
      await ask('postgres', `CREATE DATABASE ${name}`);
      const how = flushed ? 'on' : 'off';
      await ask('postgres', `ALTER DATABASE ${name} SET synchronous_commit = ${how}`);
      return `postgresql://bench@127.0.0.1:${port}/${name}`;
    },
    // A transaction has a number if it writes, and looking at the next one takes none.
    written: async (name) =>
      Number(await ask(name, 'SELECT pg_snapshot_xmax(pg_current_snapshot())')),
    cpu: () =>
      childrenOf(server.pid ?? 0).reduce(
        (sum, pid) => sum + workOf(pid).cpu,
        workOf(server.pid ?? 0).cpu,
      ),
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It does not run as root; the account that its package made does. */
function ownerOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  chownSync(folder, uid, gid);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Linux only, as workOf is. */
function childrenOf(pid: number): readonly number[] {
  try {
    const file = `/proc/${pid}/task/${pid}/children`;
    return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
