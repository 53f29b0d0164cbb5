import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** An editor that saves several files, or one in several steps, is waited for. */
const QUIET = 60;

/**
 * Files whose changes are waited for, by their folders: editors put a new file in the place of the
 * old one, and one that is missing may be made.
 */
export class Sources {
  readonly #watchers = new Map<string, FSWatcher>();
  #names = new Map<string, Set<string>>();
  #changes = 0;
  #seen = 0;
  #changed: () => void = () => undefined;

  /** From now on these as well; what changed since `from` (ms of the wall clock) counts. */
  add(files: readonly string[], from: number): void {
    for (const file of files) {
      const folder = dirname(file);
      const names = this.#names.get(folder) ?? new Set<string>();
      const isNew = !names.has(basename(file));
      this.#names.set(folder, names.add(basename(file)));
      this.#watch(folder);
      const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (isNew && mtimeMs > from) this.#note();
    }
  }

  /** Resolves after a change that was not waited for yet, or when `signal` is aborted. */
  async change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changed = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (this.#changes > this.#seen || signal.aborted) resolve();
    await promise;
    do {
      this.#seen = this.#changes;
      await wait(QUIET, undefined, { signal }).catch(() => undefined);
    } while (this.#changes > this.#seen && !signal.aborted);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder) || statSync(folder, { throwIfNoEntry: false }) === undefined)
      return;
    const watcher = watch(folder, (_event, name) => {
      if (name === null || this.#names.get(folder)?.has(name) === true) this.#note();
    });
    // A folder that is taken away: the next check says what is missing.
    watcher.on('error', () => {
      this.#watchers.delete(folder);
      watcher.close();
      this.#note();
    });
    this.#watchers.set(folder, watcher);
  }

  #note(): void {
    this.#changes += 1;
    this.#changed();
  }
}
