import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Place } from '../place.ts';
import { nodeOptions } from './checked.ts';

/** A server that does not end by then is killed, which loses nothing. */
const PATIENCE = 10_000;

export interface Addresses {
  readonly url: string;
  readonly operator: string;
}

/** The server of `holdfast dev`: one process after the other, at the same addresses. */
export class Server {
  readonly #place: Place;
  readonly #args: readonly string[];
  readonly #say: (line: string) => void;
  #child: ChildProcess | undefined;
  #addresses: Addresses | undefined;

  /** `say` hears what the first process prints. */
  constructor(place: Place, args: readonly string[], say: (line: string) => void) {
    this.#place = place;
    this.#args = args;
    this.#say = say;
  }

  get runs(): boolean {
    const { exitCode = 0, signalCode = null } = this.#child ?? {};
    return exitCode === null && signalCode === null;
  }

  /**
   * Ends the process that runs, whose runs go on in the next one, and starts that. Answers where it
   * serves, or undefined where it ended without; its words are on stderr.
   */
  async restart(): Promise<Addresses | undefined> {
    await this.stop();
    const first = this.#addresses === undefined;
    const script = resolve(this.#place.code, `project/dev/serve${this.#place.ending}`);
    const child = fork(script, [...this.#args, ...this.#sameAddresses()], {
      execArgv: nodeOptions(),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.#child = child;
    const { promise, resolve: answer } = Promise.withResolvers<Addresses | undefined>();
    let operator = '';
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    lines.on('line', (line) => {
      if (first) this.#say(line);
      operator = /^holdfast operator (\S+)/.exec(line)?.[1] ?? operator;
      const [, url] = /^holdfast ready (\S+)/.exec(line) ?? [];
      if (url !== undefined) answer({ url, operator });
    });
    child.once('exit', () => answer(undefined));
    const addresses = await promise;
    this.#addresses = addresses ?? this.#addresses;
    return addresses;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.runs) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const late = new AbortController();
    void wait(PATIENCE, undefined, { signal: late.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
    await exited;
    late.abort();
  }

  /** So that a command that was pasted, and a page that is open, go on working. */
  #sameAddresses(): readonly string[] {
    if (this.#addresses === undefined) return [];
    const { operator, url } = this.#addresses;
    return [`--port=${new URL(url).port}`, `--operator-port=${new URL(operator).port}`];
  }
}
