import type { Millis } from '../domain/brand.ts';
import { collections } from '../domain/collections.ts';
import { compositeKey } from '../domain/digest.ts';
import type { Backend, Filter, Row, RowQuery } from '../ports/backend.ts';
import { Contention, Unreadable } from '../ports/faults.ts';
import { ROUNDS } from './rounds.ts';
import type { Scope, TaskPlace } from './layout.ts';
import type { ListPlace } from './page-token.ts';
import { segmentOf } from './segment.ts';
import { stateOf, statusTime, type TaskJson } from './task-json.ts';

/** What the index knows of a task: ids, state and time, and no word of it. */
export interface IndexedTask extends ListPlace {
  readonly contextId: string;
}

/** What is asked for; what is left out is not filtered by. */
export interface IndexQuery {
  readonly contextId?: string;
  /** As ProtoJSON names it. */
  readonly state?: string;
  /** Only what is later. */
  readonly after?: Millis;
}

type IndexBackend = Pick<Backend, 'read' | 'commit' | 'query' | 'count'>;

/** A total is exact up to here. */
const MOST_COUNTED = 100_000;

/**
 * Lists of tasks in a database, for stores that hold too many to read them all. It has the rows and
 * indexes of the `tasks` collection (firestore.indexes.json), in a database of its own: one of
 * Holdfast itself would show its tasks. The bucket is the authority: what a row says is only where
 * to look.
 */
export class TaskIndex {
  readonly #backend: IndexBackend;

  constructor(backend: IndexBackend) {
    this.#backend = backend;
  }

  /**
   * Revision 0 announces a task that is about to be stored, so that none that is stored is missing.
   * An older revision than the row's changes nothing. Throws Unavailable, Contention.
   */
  async record(place: TaskPlace, task: TaskJson, revision: number): Promise<void> {
    const path = pathOf(place.scope, place.taskId);
    const fields = {
      scope: place.scope.prefix,
      taskId: place.taskId,
      contextId: place.contextId,
      state: stateOf(task),
      statusAt: statusTime(task),
      revision,
    };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [row] = await this.#backend.read([path]);
      if (row !== undefined && Number(row.fields['revision']) >= revision) return;
      const write = { path, fields, expect: row?.version ?? 'absent' };
      if ((await this.#backend.commit([], [write])) !== 'conflict') return;
    }
    throw new Contention(ROUNDS);
  }

  async forget(scope: Scope, taskId: string): Promise<void> {
    const write = { path: pathOf(scope, taskId), fields: undefined, expect: 'any' } as const;
    await this.#backend.commit([], [write]);
  }

  /** In a list's order. Throws Unavailable. */
  async page(
    scope: Scope,
    query: IndexQuery,
    limit: number,
    after: ListPlace | undefined,
  ): Promise<readonly IndexedTask[]> {
    const place = after && { value: after.time, id: idOf(scope, after.id) };
    const rows = await this.#backend.query(rowQuery(scope, query, limit), place);
    return rows.map(taskOfRow);
  }

  async count(scope: Scope, query: IndexQuery): Promise<number> {
    return this.#backend.count(rowQuery(scope, query, MOST_COUNTED));
  }

  /** Every row of every scope under the prefix, a page at a time. */
  async *all(prefix: string): AsyncIterable<readonly (IndexedTask & { readonly scope: Scope })[]> {
    const collection = collections.tasks.name;
    const query = { collection, filters: [], order: undefined, limit: 500 };
    for (let rows = await this.#backend.query(query); rows.length > 0; ) {
      yield rows
        .map((row) => ({ ...taskOfRow(row), scope: { prefix: text(row, 'scope') } }))
        .filter(({ scope }) => scope.prefix.startsWith(prefix));
      const last = rows.at(-1)?.path ?? '';
      const id = last.slice(last.lastIndexOf('/') + 1);
      rows = await this.#backend.query(query, { value: undefined, id });
    }
  }
}

function rowQuery(
  { prefix }: Scope,
  { contextId, state, after }: IndexQuery,
  limit: number,
): RowQuery {
  const filters: readonly (Filter | undefined)[] = [
    { field: 'scope', equals: prefix },
    contextId === undefined ? undefined : { field: 'contextId', equals: contextId },
    state === undefined ? undefined : { field: 'state', equals: state },
  ];
  return {
    collection: collections.tasks.name,
    filters: filters.filter((filter) => filter !== undefined),
    order: { field: 'statusAt', direction: 'desc' },
    // A task without a time has 0, and is later than nothing.
    ...(after !== undefined && { from: { value: Math.max(after, 0), inclusive: false } }),
    limit,
  };
}

const pathOf = (scope: Scope, taskId: string): string =>
  `${collections.tasks.name}/${idOf(scope, taskId)}`;

/** Within a scope in the order of the ids. */
function idOf({ prefix }: Scope, taskId: string): string {
  return `${compositeKey('indexed', prefix)}.${segmentOf(taskId) ?? ''}`;
}

function taskOfRow(row: Row): IndexedTask {
  const time = Number(row.fields['statusAt']);
  return { id: text(row, 'taskId'), contextId: text(row, 'contextId'), time };
}

function text({ fields, path }: Row, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string') throw new Unreadable(path);
  return value;
}
