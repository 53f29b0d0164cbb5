import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export type ToWalThread = 'copy' | 'end';
/** Behind: commits come too fast for the log to be copied whole. */
export type FromWalThread = 'copied' | 'behind';

/** A commit writes a page for each row, and the row. */
const PAGE = 4_096;
/** So much of the log is copied at once: by pages that many commits share, it goes once. */
const SHARE = 12 * 2 ** 20;
const SCRIPT = new URL(`wal-thread${extname(import.meta.url)}`, import.meta.url);

type Event = 'message' | 'error' | 'exit';
/** As much of a Worker as is needed here. */
interface Thread {
  on(event: Event, listener: (said: FromWalThread) => void): unknown;
  postMessage(message: ToWalThread): void;
  ref(): void;
  unref(): void;
}

/** What copies the log of this file. */
export const walThread = (file: string): Worker =>
  new Worker(SCRIPT, { workerData: file, execArgv: [] });

/**
 * Copies the log of a database into its file, in a thread of its own: the disk is waited for, 20 to
 * 80 ms, while commits go on. For the last little that came meanwhile they wait, and the process
 * does not: a log that is copied whole begins anew, one that never is would grow. Where the thread
 * can't start commits copy it themselves (`wal_autocheckpoint`).
 */
export class WalCopier {
  readonly #start: () => Thread;
  #thread: Thread | 'lost' | undefined;
  #isCopying = false;
  #isHeld = false;
  #held: (() => void) | undefined;
  /** Written since the last copy began, about; bytes. */
  #written = 0;

  constructor(start: () => Thread) {
    this.#start = start;
  }

  /** A commit has written so many rows, which are that long. */
  wrote(rows: number, bytes: number): void {
    this.#written += rows * PAGE + bytes;
    if (this.#written < SHARE || this.#isCopying) return;
    this.#thread ??= this.#listening();
    if (this.#thread === 'lost') return;
    this.#written = 0;
    this.#isCopying = true;
    this.#thread.postMessage('copy');
  }

  /** Calls `commit` as soon as the log may be added to: at once, but for moments. */
  whenFree(commit: () => void): void {
    if (this.#isHeld) this.#held = commit;
    else commit();
  }

  /** Lets what is under way end. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined || thread === 'lost') return;
    this.#thread = 'lost';
    thread.ref();
    await new Promise((resolve) => {
      thread.on('exit', resolve);
      thread.postMessage('end');
    });
  }

  #listening(): Thread {
    const thread = this.#start();
    const lost = (): void => {
      this.#thread = 'lost';
      this.#free();
    };
    thread.on('error', lost);
    thread.on('exit', lost);
    thread.on('message', (message) => {
      if (message === 'copied' || this.#isHeld) {
        this.#isCopying = false;
        if (this.#isHeld && this.#thread !== 'lost') thread.unref();
        this.#free();
        return;
      }
      this.#isHeld = true;
      // A commit that waits has nothing else that keeps the process.
      thread.ref();
      thread.postMessage('copy');
    });
    // A process that has nothing else to do ends.
    thread.unref();
    return thread;
  }

  #free(): void {
    const commit = this.#held;
    this.#isHeld = false;
    this.#held = undefined;
    commit?.();
  }
}
