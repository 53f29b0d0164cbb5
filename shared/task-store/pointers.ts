import type { Blobs } from '../ports/blobs.ts';
import { Contention } from '../ports/faults.ts';
import { ROUNDS } from './rounds.ts';
import { BadTaskError } from './errors.ts';
import { type Scope, taskFolder, type TaskPlace } from './layout.ts';

/** So many of the pointers used last are held. */
const HELD = 10_000;

/**
 * Which context a task belongs to: `tasks/<taskId>/contextId.txt`. A pointer never changes, so one
 * that was read is held; it leads to nothing where the task has been deleted since.
 */
export class Pointers {
  readonly #blobs: Blobs;
  readonly #held = new Map<string, string>();

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async contextOf(scope: Scope, taskId: string): Promise<string | undefined> {
    const name = pointerName(scope, taskId);
    if (name === undefined) return undefined;
    const held = this.#held.get(name);
    if (held !== undefined) return held;
    const blob = await this.#blobs.get(name);
    if (blob === undefined) return undefined;
    const contextId = new TextDecoder().decode(blob.body);
    this.#hold(name, contextId);
    return contextId;
  }

  /**
   * Writes the pointer before the task: a crash between the two leaves a pointer to nothing, and no
   * task that can't be found. Answers whether it is new. Throws BadTaskError where it points
   * elsewhere.
   */
  async create({ pointer, contextId, taskId, scope }: TaskPlace): Promise<boolean> {
    const write = { contentType: 'text/plain; charset=utf-8', expect: 'absent' };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const written = await this.#blobs.put(pointer, Buffer.from(contextId), write);
      if (written !== 'stale') {
        this.#hold(pointer, contextId);
        return true;
      }
      const present = await this.contextOf(scope, taskId);
      if (present === contextId) return false;
      if (present !== undefined) {
        throw new BadTaskError('task.contextId', 'a task stays in its context');
      }
      // It was deleted between the two calls.
    }
    throw new Contention(ROUNDS);
  }

  forget(scope: Scope, taskId: string): void {
    const name = pointerName(scope, taskId);
    if (name !== undefined) this.#held.delete(name);
  }

  #hold(name: string, contextId: string): void {
    this.#held.delete(name);
    this.#held.set(name, contextId);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD && oldest !== undefined) this.#held.delete(oldest);
  }
}

function pointerName(scope: Scope, taskId: string): string | undefined {
  const folder = taskFolder(scope, taskId);
  return folder === undefined ? undefined : `${folder}contextId.txt`;
}
