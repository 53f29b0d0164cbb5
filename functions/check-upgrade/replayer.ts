import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RunRecord } from '../../shared/app/upgrade/record.ts';
import type { Verdict } from '../../shared/app/upgrade/verdict.ts';
import type { Millis } from '../../shared/domain/brand.ts';
import type { Run } from '../../shared/domain/run.ts';
import type { Task } from '../../shared/domain/task.ts';
import { faultName } from '../../shared/app/wake-up.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { COMPILED } from '../compiled.ts';
import { BadConfiguration } from '../settings.ts';
import type { FromThread, ReplayData, ToThread } from './messages.ts';

export interface ReplayerOptions extends Omit<ReplayData, 'folder'> {
  readonly clock: Clock;
  /** For one run, from its beginning to its next step; milliseconds. */
  readonly time: Millis;
  readonly earlierTasks: (run: Run) => Promise<readonly Task[]>;
}

/** Of a module, until it has its agents. */
const LOADING: Millis = 30_000;
const SCRIPT = new URL(`replay-thread${COMPILED ? '.js' : '.ts'}`, import.meta.url);

/** Judges runs by the code of their agents, one after another, in a thread that may be lost. */
export class Replayer {
  readonly #options: ReplayerOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'holdfast-check-'));
  #thread: Worker | undefined;
  #names: readonly string[] = [];

  constructor(options: ReplayerOptions) {
    this.#options = options;
  }

  /** Throws BadConfiguration where the agents can't be loaded. */
  async judge(record: RunRecord): Promise<Verdict> {
    this.#thread ??= await this.#open();
    const { time } = this.#options;
    const thread = this.#thread;
    const said = this.#until(thread, time, record.run);
    post(thread, { kind: 'judge', record });
    const found = await said;
    if (found.kind === 'verdict') return found.verdict;
    await this.#end();
    if (found.kind === 'late')
      return { kind: 'not checked', why: `its code came to no next step in ${time / 1_000} s` };
    if (found.kind === 'gone') return { kind: 'not checked', why: found.why };
    throw new TypeError(`${found.kind} was no answer`);
  }

  /** Loads the agents. Answers with their names. Throws BadConfiguration. */
  async load(): Promise<readonly string[]> {
    this.#thread ??= await this.#open();
    return this.#names;
  }

  async close(): Promise<void> {
    await this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #open(): Promise<Worker> {
    const { agents, installation, settings } = this.#options;
    const workerData: ReplayData = { agents, installation, settings, folder: this.#folder };
    const thread = new Worker(SCRIPT, { workerData, stdout: true, stderr: true });
    // What authors' code prints may be content.
    thread.stdout.resume();
    thread.stderr.resume();
    const found = await this.#until(thread, LOADING);
    if (found.kind === 'loaded') {
      this.#names = found.agents;
      return thread;
    }
    await thread.terminate();
    if (found.kind === 'not loaded') throw new BadConfiguration(found.why);
    const why = found.kind === 'gone' ? found.why : `it took longer than ${LOADING / 1_000} s`;
    throw new BadConfiguration(`the agents module could not be loaded: ${why}`);
  }

  /** The next thing that is said, other than questions, which are answered. */
  #until(thread: Worker, span: Millis, run?: Run): Promise<Said> {
    const { clock, earlierTasks } = this.#options;
    return new Promise((resolve) => {
      const settle = (said: Said): void => {
        cancel();
        thread.off('message', hear).off('error', broken).off('exit', ended);
        resolve(said);
      };
      const hear = (message: FromThread): void => {
        if (message.kind !== 'earlier tasks') return settle(message);
        const asked = run === undefined ? Promise.resolve([]) : earlierTasks(run);
        asked.then(
          (tasks) => post(thread, { kind: 'earlier tasks', tasks }),
          (error: unknown) =>
            settle({ kind: 'gone', why: `no earlier tasks: ${faultName(error)}` }),
        );
      };
      const broken = (error: unknown): void =>
        settle({ kind: 'gone', why: `an error that nothing caught: ${faultName(error)}` });
      const ended = (): void => settle({ kind: 'gone', why: 'its code ended the process' });
      const cancel = clock.after(span, () => settle({ kind: 'late' }));
      thread.on('message', hear).on('error', broken).on('exit', ended);
    });
  }

  async #end(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = undefined;
  }
}

type Said =
  | FromThread
  | { readonly kind: 'late' }
  | { readonly kind: 'gone'; readonly why: string };

const post = (thread: Worker, message: ToThread): void => thread.postMessage(message);
