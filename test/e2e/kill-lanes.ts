import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../shared/domain/settings.ts';
import { Client } from './client.ts';
import type { Oracle } from './oracle.ts';
import { type Books, openBooks } from './remote-books.ts';
import type { Fleet, Server } from './server.ts';
import { isTerminal, stateOf, type WireTask } from './wire.ts';

/** Where in its commits a process dies. */
export interface Kill {
  readonly when: 'before' | 'after';
  readonly commit: number;
  /**
   * Which commits count: all, or those of steps, sends, pauses and decisions, whose order is always
   * the same.
   */
  readonly of: Commits;
}
export type Commits = 'any' | 'books';

export const inWords = ({ commit, of, when }: Kill): string =>
  `killed ${when} ${of} commit ${commit}`;

/** What was lost with a worker is taken up again within a second. */
export const SWIFT: Partial<Settings> = {
  lease: 800,
  leaseRenewal: 250,
  sweepInterval: 100,
  sweepGrace: 50,
  requeues: 1_000,
  pollMin: 50,
  pollMax: 200,
  circuitRest: 200,
  circuitRestMax: 500,
};

export interface LaneOptions {
  readonly oracle: Oracle;
  readonly agents: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A server that can be told where in its commits to die. */
export class Lane {
  readonly server: Server;
  readonly books: Books;
  readonly client: Client;
  deaths = 0;
  readonly #file: string;
  #orders = 0;
  #armed = false;

  private constructor(server: Server, file: string, oracle: Oracle) {
    this.server = server;
    this.books = openBooks(server);
    this.client = new Client(server, oracle);
    this.#file = file;
  }

  static async open(
    fleet: Fleet,
    { agents, args = [], env = {}, oracle }: LaneOptions,
  ): Promise<Lane> {
    const file = join(await fleet.folder(), 'kill');
    const server = await fleet.start({
      store: 'embedded',
      settings: SWIFT,
      // A client that lost an answer sends the same message again.
      args: [
        '--agents',
        agents,
        '--idempotency',
        'always',
        '--remote-private',
        'loopback',
        ...args,
      ],
      env: {
        NODE_OPTIONS: `--import=${new URL('kill-at.ts', import.meta.url).href}`,
        HOLDFAST_E2E_KILL: file,
        ...env,
      },
    });
    return new Lane(server, file, oracle);
  }

  /** From now on it counts its commits. */
  arm({ commit, of, when }: Kill): void {
    this.#orders += 1;
    this.#armed = true;
    writeFileSync(`${this.#file}.next`, `${this.#orders} ${when} ${commit} ${of}`);
    renameSync(`${this.#file}.next`, this.#file);
  }

  /** Kills it at once. */
  kill(): void {
    this.#armed = true;
    void this.server.kill();
  }

  /** Whether it has died of its order, or is about to; if so, once it runs again. */
  async revived(): Promise<boolean> {
    if (!this.#armed || existsSync(this.#file)) return false;
    this.#armed = false;
    this.deaths += 1;
    await this.server.ended();
    await this.server.start();
    return true;
  }

  /** It lives on, if it has not died yet. False: it has. */
  async disarm(): Promise<boolean> {
    const died = (await this.revived()) || !this.#armed;
    if (died) return false;
    try {
      rmSync(this.#file);
      this.#armed = false;
      return true;
    } catch {
      // Between the two looks.
      return !(await this.revived());
    }
  }

  /**
   * Asks as a client does that does not give up: again, with the same message, when the server died
   * at it.
   */
  async insist<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        // A refusal is an answer; what fetch throws is none.
        if (!(error instanceof TypeError) || !(await this.revived())) throw error;
      }
    }
  }

  /** The task as it is in the end, through every death. */
  async finished(id: string): Promise<WireTask> {
    return this.until(id, (task) => isTerminal(stateOf(task)));
  }

  async until(
    id: string,
    wanted: (task: WireTask) => boolean | Promise<boolean>,
  ): Promise<WireTask> {
    const read = () => this.insist(() => this.client.get(id));
    for (let task = await read(); ; task = await read()) {
      if (await wanted(task)) return task;
      await wait(30);
    }
  }

  async close(): Promise<void> {
    await this.books.close();
  }
}

/**
 * Has something done over and over, each time with a kill a little later, until it goes through
 * without having been killed: with `books` before and after each of those commits, else once
 * between any two commits, right after the first and right before the second by turns. `act` says
 * from where on commits count: it arms its lane. The lanes share the kills.
 */
export async function killEverywhere(
  lanes: readonly Lane[],
  of: Commits,
  act: (lane: Lane, kill: Kill) => Promise<void>,
): Promise<number> {
  let over = false;
  let next = 0;
  let kills = 0;
  const work = async (lane: Lane): Promise<void> => {
    while (!over) {
      const pair = next >> 1;
      const commit = 1 + (of === 'books' ? pair : 2 * pair);
      const kill: Kill = { when: next % 2 === 0 ? 'before' : 'after', commit, of };
      next += 1;
      await act(lane, kill);
      if (await lane.disarm()) over = true;
      else kills += 1;
    }
  };
  await Promise.all(lanes.map(work));
  return kills;
}
