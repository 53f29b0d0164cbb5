import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { FUNCTIONS } from '../../functions/function-names.ts';
import { BUCKET } from '../../functions/start/rehearsal.ts';
import { randomProject } from '../emulator/firestore.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { openPackedBlobs } from '../../shared/embedded/packed-blobs.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = 'functions/cli/main.ts';
const AGENTS = 'test/fixtures/agents/scripted.ts';

/**
 * HOLDFAST_E2E_STORE=google runs the same files over a process a function and emulators of Google's
 * services.
 */
export const STORE = process.env['HOLDFAST_E2E_STORE'] === 'google' ? 'google' : 'embedded';
export interface ServerOptions {
  /** An existing data folder; a new one otherwise. Several servers may share one. */
  readonly data?: string;
  /** Refuses to share its folder, as a server does that is not told otherwise. */
  readonly alone?: boolean;
  readonly settings?: Partial<Settings>;
  readonly args?: readonly string[];
  /** Beside this process's own variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly store?: 'embedded' | 'google';
}

/** Agents here take tens of milliseconds where real ones take seconds. */
export const QUICK: Partial<Settings> = {
  backoff: 50,
  backoffMax: 200,
  progressInterval: 30,
  progressDelay: 10,
};

/** A lost worker is noticed within about a second, instead of a minute. */
export const BRISK: Partial<Settings> = {
  lease: 1_000,
  leaseRenewal: 300,
  sweepInterval: 150,
  sweepGrace: 100,
  circuitRest: 300,
  circuitRestMax: 1_000,
};

/** The whole system as a process of its own, as `npm start` runs it. */
export class Server {
  readonly data: string;
  /** What it wrote to stderr, and to stdout after it was ready: one JSON object a line. */
  readonly log: string[] = [];
  url = '';
  /** Host and port of gRPC, where it is served. */
  grpc = '';
  readonly #options: ServerOptions;
  /** Emulators may be shared: what another left in one must not be met. */
  readonly #project = randomProject();
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Where the emulators are, as the functions' variables say it. */
  #endpoints = new Map<string, string>();
  /** The process of each function by its name; none in the embedded setting. */
  readonly #functions = new Map<string, number>();
  #started = (): void => undefined;

  constructor(data: string, options: ServerOptions) {
    this.data = data;
    this.#options = options;
  }

  /** Of the one process of the embedded setting. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<this> {
    // A test that ran out of time goes on in the background, and would restart what was cleaned up.
    if (this.#closed) throw new Error('this server was closed with its test');
    const set = Object.entries({ ...QUICK, ...this.#options.settings });
    const { alone = false, store = STORE } = this.#options;
    const folder = ['--data', this.data, ...(alone ? [] : ['--share-data'])];
    const where =
      store === 'google'
        ? ['--store', 'google', '--project', this.#project]
        : [...folder, '--grpc-port', '0'];
    const flags = ['--port', '0', '--agents', AGENTS, ...where].concat(
      set.flatMap(([name, value]) => ['--set', `${name}=${value}`]),
      this.#options.args ?? [],
    );
    const child = spawn(process.execPath, ['--import', DIE_WITH_PARENT, MAIN, 'start', ...flags], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Halves the time to ready, which the tests with many restarts are made of.
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
        ...this.#options.env,
      },
    });
    this.#child = child;
    this.#ended = once(child, 'exit');
    createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    this.url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [, url] = /^holdfast ready (\S+)$/.exec(line) ?? [];
        const [, grpc] = /^holdfast grpc (\S+)$/.exec(line) ?? [];
        const [, name, pid] = /^holdfast function (\S+) \S+ pid (\d+)$/.exec(line) ?? [];
        const [, emulators] = /^holdfast emulators (.*)$/.exec(line) ?? [];
        if (emulators !== undefined) this.#endpoints = new Map(emulators.split(' ').map(pair));
        else if (grpc !== undefined) this.grpc = grpc;
        else if (name !== undefined) this.#serves(name, Number(pid));
        else if (url === undefined) this.log.push(line);
        else resolve(url);
      });
      child.once('exit', (code, signal) => {
        reject(new Error(`ended with ${code ?? signal} before ready:\n${this.log.join('\n')}`));
      });
    });
    return this;
  }

  /** Ends it as an operator does, and answers its exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Ends it as a crash does: nothing of it runs any more. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Resolves when it has ended, by itself or not. */
  async ended(): Promise<void> {
    await this.#ended;
  }

  /** Kills it for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.kill();
  }

  /**
   * Stops it in mid-thought, as a paused container or a long page-out does, for longer than its
   * leases hold.
   */
  async freeze(span: number): Promise<void> {
    this.#signal('SIGSTOP');
    await wait(span);
    this.#signal('SIGCONT');
  }

  /**
   * The same data under new processes. Embedded: the folder, and a new port. Google: every function
   * ends and is started again where it was, while the services go on, as they would.
   */
  async restart(how: 'stop' | 'kill' = 'kill'): Promise<void> {
    if (this.#functions.size > 0) {
      const ended = how === 'kill' ? 'SIGKILL' : 'SIGTERM';
      const back = new Promise<void>((resolve) => {
        this.#started = resolve;
      });
      this.#signal(ended);
      this.#functions.clear();
      return back;
    }
    await this[how]();
    await this.start();
  }

  /** The objects, to look at behind its back. */
  blobs(): Blobs {
    const endpoint = this.#endpoints.get('HOLDFAST_STORAGE_ENDPOINT');
    return endpoint === undefined
      ? openPackedBlobs({ root: join(this.data, 'objects') })
      : createGcsBlobs({ bucket: BUCKET, endpoint });
  }

  #serves(name: string, pid: number): void {
    this.#functions.set(name, pid);
    if (this.#functions.size === FUNCTIONS.length) this.#started();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#functions.size === 0) this.#child?.kill(signal);
    for (const pid of this.#functions.values()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It is gone already.
      }
    }
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, 'exit');
    this.#functions.clear();
    child.kill(signal);
    await exited;
    return child.exitCode;
  }
}

/**
 * Loaded into each server: also when the test run itself is killed, and can clean up nothing, no
 * server outlives it.
 */
const DIE_WITH_PARENT = `data:text/javascript,
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 250).unref();`;

function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

export interface Fleet {
  /**
   * Starts a server. One that a test started ends with the test, one of a beforeAll with the file,
   * however they end.
   */
  start(options?: ServerOptions): Promise<Server>;
  /** A folder that goes with the test or the file. */
  folder(): Promise<string>;
}

export function useFleet(): Fleet {
  const ofFile: (() => Promise<unknown>)[] = [];
  const ofTest: (() => Promise<unknown>)[] = [];
  let endings = ofFile;
  /** By its folder, while it runs. */
  const running = new Map<string, Server>();
  const end = async (list: (() => Promise<unknown>)[]) => {
    // Newest first: a folder goes after the servers that use it.
    for (const each of list.splice(0).toReversed()) await each();
  };
  beforeEach(() => {
    endings = ofTest;
  });
  afterEach(async () => {
    endings = ofFile;
    await end(ofTest);
  });
  afterAll(() => end(ofFile));

  const folder = async () => {
    const path = await mkdtemp(join(tmpdir(), 'holdfast-e2e-'));
    endings.push(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
    return path;
  };
  return {
    folder,
    async start(options = {}) {
      // There is one rehearsal of the functions; who asks for another instance meets the same one.
      const present = running.get(options.data ?? '');
      if (STORE === 'google' && present !== undefined) return present;
      const server = new Server(options.data ?? (await folder()), options);
      running.set(server.data, server);
      endings.push(() => {
        running.delete(server.data);
        return server.close();
      });
      return server.start();
    },
  };
}
