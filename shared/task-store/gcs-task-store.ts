import type { ListTasksRequest, ListTasksResponse, Task } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';
import type { Blobs } from '../ports/blobs.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import { systemIds } from '../system/system-ids.ts';
import { deleteTask } from './delete-task.ts';
import { BadTaskError, ID_RULE } from './errors.ts';
import {
  type CallContext,
  type LayoutOptions,
  placeOf,
  scopesOf,
  type ScopeOf,
  type TaskPlace,
} from './layout.ts';
import { listIndexed } from './list-indexed.ts';
import { listTasks } from './list-tasks.ts';
import { Pointers } from './pointers.ts';
import { rebuildIndex, type RebuiltIndex } from './rebuild-index.ts';
import { type KnownTask, saveTask } from './save-task.ts';
import type { TaskIndex } from './task-index.ts';
import { parseTask, taskOf, textOf } from './task-json.ts';
import { readTask } from './task-object.ts';

export interface GcsTaskStoreOptions extends LayoutOptions {
  readonly blobs: Blobs;
  /**
   * `linear`, the default: a context takes a task when its last one has ended; until then the next
   * is refused with ContextBusyError (G19). `parallel`: any number at a time.
   */
  readonly contexts?: 'linear' | 'parallel';
  /** For stores with many tasks: lists without reading them all. */
  readonly index?: TaskIndex;
  readonly ids?: Ids;
  /** Told of objects that are no tasks, by their names. */
  readonly log?: Log;
}

/** Writes that had no answer are known by the names of the newest writes of an object. */
const REMEMBERED = 8;

/**
 * The SDK's TaskStore over objects: `tasks/<taskId>/contextId.txt` points to
 * `contexts/<contextId>/<taskId>/task.json`, the standard A2A Task. Give the same instance to the
 * request handler and to the executor. Any number of processes may share a bucket: each write is
 * conditional, what two writers did is merged, and the end of a task is final. Reads write nothing.
 */
export class GcsTaskStore implements TaskStore {
  readonly #options: GcsTaskStoreOptions;
  readonly #blobs: Blobs;
  readonly #scopeOf: ScopeOf;
  readonly #ids: Ids;
  readonly #pointers: Pointers;
  /** By the caller's own object, so that what the caller changed can be told. */
  readonly #known = new WeakMap<Task, KnownTask>();
  /** Saves of one object follow each other: each is the difference to the one before. */
  readonly #saving = new WeakMap<Task, Promise<void>>();

  /** Throws BadPrefix. */
  constructor(options: GcsTaskStoreOptions) {
    this.#options = options;
    this.#blobs = options.blobs;
    this.#scopeOf = scopesOf(options);
    this.#ids = options.ids ?? systemIds();
    this.#pointers = new Pointers(options.blobs);
  }

  /**
   * Stores the task; of a task that is stored already, applies what changed since this very object
   * was loaded or saved here (merge-task.ts).
   *
   * Throws ContextBusyError for a new task of a context whose last task is open, TaskTerminalError
   * for what would change an ended task, TaskNotFoundError when what was loaded has been deleted
   * since, and BadTaskError for ids that can't be stored or a task that changes its context. After
   * Unavailable and Contention the same object can be saved again: what was stored is not applied
   * twice.
   */
  async save(task: Task, context: CallContext): Promise<void> {
    const place = this.#place(task, context);
    // As the object is now: it may be changed before this has been written.
    const text = textOf(task);
    const before = this.#saving.get(task);
    const saving = (async () => {
      await before?.catch(() => undefined);
      await this.#save(task, place, text);
    })();
    this.#saving.set(task, saving);
    return saving;
  }

  async #save(task: Task, place: TaskPlace, text: string): Promise<void> {
    const write = this.#ids.token();
    const found = this.#known.get(task);
    const known = found?.place === place.task ? found : { place: place.task, unanswered: [] };
    const { contexts, index } = this.#options;
    const parallel = contexts === 'parallel';
    try {
      const parts = { blobs: this.#blobs, pointers: this.#pointers, parallel, index };
      const stored = await saveTask(parts, place, { text, write }, known);
      this.#known.set(task, { place: place.task, seen: text, stored, unanswered: [] });
    } catch (error) {
      const unanswered = [{ write, text }, ...known.unanswered].slice(0, REMEMBERED);
      this.#known.set(task, { ...known, unanswered });
      throw error;
    }
  }

  /** Throws Unreadable, Unavailable. */
  async load(taskId: string, context: CallContext): Promise<Task | undefined> {
    const scope = this.#scopeOf(context);
    const contextId = await this.#pointers.contextOf(scope, taskId);
    const place = contextId === undefined ? undefined : placeOf(scope, taskId, contextId);
    if (place === undefined) return undefined;
    const stored = await readTask(this.#blobs, place.task);
    if (stored === undefined) return undefined;
    parseTask(stored.text, place.task, taskId);
    const task = taskOf(stored.text);
    this.#known.set(task, { place: place.task, seen: stored.text, stored, unanswered: [] });
    return task;
  }

  /**
   * As the SDK's database store lists: newest status first, then by id. Without an index it reads
   * every task of the context, or of the owner where no context is named. Throws
   * RequestMalformedError for a bad token, UnsupportedOperationError where there are too many tasks
   * to read.
   */
  async list(params: ListTasksRequest, context: CallContext): Promise<ListTasksResponse> {
    const { index, log } = this.#options;
    const scope = this.#scopeOf(context);
    return index === undefined
      ? listTasks(this.#blobs, scope, params, log)
      : listIndexed(this.#blobs, index, scope, params, log);
  }

  /** Makes the index what the bucket says. Throws TypeError without an index. */
  async rebuildIndex(): Promise<RebuiltIndex> {
    const { index, prefix = '', log } = this.#options;
    if (index === undefined) throw new TypeError('this store has no index');
    return rebuildIndex(this.#blobs, index, prefix, log);
  }

  /**
   * Removes a task that has ended with everything beside it, its push configurations first. What is
   * not there is success. Throws UnsupportedOperationError for a task that is open.
   */
  async delete(taskId: string, context: CallContext): Promise<void> {
    const scope = this.#scopeOf(context);
    const contextId = await this.#pointers.contextOf(scope, taskId);
    await deleteTask(this.#blobs, scope, taskId, contextId);
    await this.#options.index?.forget(scope, taskId);
    this.#pointers.forget(scope, taskId);
  }

  #place(task: Task, context: CallContext): TaskPlace {
    const scope = this.#scopeOf(context);
    const place = placeOf(scope, task.id, task.contextId);
    if (place !== undefined) return place;
    const field = placeOf(scope, task.id, 'any') === undefined ? 'task.id' : 'task.contextId';
    throw new BadTaskError(field, ID_RULE);
  }
}
