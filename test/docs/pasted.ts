import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { commandsOf, freePort, ROOT } from './readme.ts';
import { Shell } from './shell.ts';

/** What a reader waits for before the next command, after the one that starts the server. */
export const READY = /^See what waits for you/m;

/** The shell of a reader who pastes a section of a page; port and data folder are its own. */
export class Pasted {
  #data = '';
  #port = 0;
  #shell: Shell | undefined;

  constructor() {
    beforeAll(async () => {
      this.#data = await mkdtemp(join(tmpdir(), 'holdfast-readme-'));
      this.#port = await freePort();
      this.#shell = new Shell(ROOT, {
        PORT: String(this.#port),
        HOLDFAST_DATA: this.#data,
        HOLDFAST_OPERATOR_PORT: '0',
      });
    });
    afterAll(async () => {
      await this.#shell?.close();
      await rm(this.#data, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  get shell(): Shell {
    if (this.#shell === undefined) throw new Error('it is opened before the tests, not here');
    return this.#shell;
  }

  /** A file that goes with the folder. */
  get results(): string {
    return join(this.#data, 'results.jsonl');
  }

  /** The commands of the section, for this port and folder. */
  async commands(title: string, page?: string): Promise<readonly string[]> {
    const all = await commandsOf(title, page);
    return all.map((command) =>
      command
        .replace('127.0.0.1:8080', `127.0.0.1:${this.#port}`)
        .replace('holdfast-data/', `${this.#data}/`),
    );
  }
}
