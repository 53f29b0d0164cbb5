import { compositeKey } from '../../domain/digest.ts';
import type { JsonObject } from '../../domain/json.ts';
import { listedAs, type Principal, scopeOf } from '../../domain/ids.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import { taskState } from '../../domain/status.ts';
import type { Task } from '../../domain/task.ts';
import type { Filter, RowQuery } from '../../ports/backend.ts';
import { isPassing } from '../../ports/faults.ts';
import type { Entry, Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { type ViewDoc, readableViewCodec } from '../records/documents.ts';
import { isNotReadable } from '../records/unreadable.ts';
import { mergedPage } from '../records/merged-rows.ts';
import { decodeWalk, encodeWalk, type Walk } from './page-token.ts';
import { viewKeyOf } from '../content/sealing-key.ts';
import type { TaskFilter, TaskPage } from '../service.ts';
import { faultName } from '../wake-up.ts';
import { type ListedTask, listedTask } from '../content/listed-task.ts';

type Row = Entry<ViewDoc | undefined>;
type Found = { readonly entry: Row; readonly phase: Walk['phase'] };

/**
 * ListTasks: the caller's own tasks, newest status first, by keyset; one read a row, and on the
 * first page of a walk one for the count, however long the history is.
 */
export async function listTasks(
  app: App,
  principal: Principal,
  filter: TaskFilter,
): Promise<TaskPage | Refused> {
  const { pageSizeMax } = app.settings;
  const pageSize = filter.pageSize ?? app.settings.pageSize;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > pageSizeMax) {
    return invalid('pageSize', `must be an integer from 1 to ${pageSizeMax}`);
  }
  const filters = filtersOf(filter);
  const scope = scopeOf(principal);
  const digest = compositeKey(scope, JSON.stringify(filters), String(filter.statusAfter ?? ''));
  const walk = filter.pageToken ? decodeWalk(filter.pageToken, digest) : undefined;
  if (filter.pageToken && walk === undefined) {
    return invalid('pageToken', 'is not a token that this list gave for the same filters');
  }
  const began = walk?.began ?? app.clock.now();
  const { lists } = await app.shards.toRead();
  const list: List = {
    filter,
    // Each range of the list, which is one unless the installation spreads it over more.
    ranges: Array.from({ length: lists }, (_, shard) => [
      { field: 'scope', equals: listedAs(scope, shard) },
      ...filters,
    ]),
  };
  const [found, total] = await Promise.all([
    collect(app, list, walk ?? { phase: 'newest', began, filter: digest }, pageSize + 1),
    walk?.total ?? countTasks(app, newest(list)),
  ]);
  const { seqs, tasks, shown } = await unsealPage(app, found.slice(0, pageSize), filter);
  const last = found[shown - 1];
  const more = found.length > shown && last !== undefined;
  return {
    kind: 'page',
    tasks,
    seqs,
    nextPageToken: more
      ? encodeWalk({ phase: last.phase, began, cursor: last.entry.cursor, total, filter: digest })
      : '',
    pageSize,
    // Without a count, what is known: the list holds these, and one more if it goes on.
    totalSize: total ?? shown + (more ? 1 : 0),
  };
}

/** Rows opened together: those beyond the bound of a page are read for nothing. */
const OPENED = 10;

/**
 * As many of the rows as a page may hold in bytes, at least one; the next page goes on behind them.
 */
async function unsealPage(
  app: App,
  found: readonly Found[],
  filter: TaskFilter,
): Promise<Pick<TaskPage, 'seqs' | 'tasks'> & { readonly shown: number }> {
  const tasks: Task[] = [];
  const seqs: number[] = [];
  let bytes = 0;
  for (let from = 0; from < found.length; from += OPENED) {
    const rows = found.slice(from, from + OPENED);
    const opened = await Promise.all(rows.map(({ entry }) => unsealRow(app, entry, filter)));
    for (const [at, row] of opened.entries()) {
      bytes += row?.bytes ?? 0;
      if (bytes > app.settings.pageBytes && tasks.length > 0)
        return { seqs, tasks, shown: from + at };
      if (row === undefined) continue;
      tasks.push(row.task);
      seqs.push(rows[at]?.entry.value?.lastSeq ?? 0);
    }
  }
  return { seqs, tasks, shown: found.length };
}

/** Undefined when the count has no answer: that is no reason to refuse the page. */
async function countTasks(app: App, queries: readonly RowQuery[]): Promise<number | undefined> {
  const limit = app.settings.totalSizeMax;
  try {
    const counts = await Promise.all(queries.map((query) => app.store.count({ ...query, limit })));
    return Math.min(
      limit,
      counts.reduce((sum, each) => sum + each, 0),
    );
  } catch (error) {
    if (!isPassing(error)) throw error;
    app.log.write('warning', 'tasks not counted', { fault: faultName(error) });
    return undefined;
  }
}

function filtersOf(filter: TaskFilter): readonly Filter[] {
  return [
    ...(filter.contextId ? [{ field: 'contextId', equals: filter.contextId }] : []),
    ...(filter.state ? [{ field: 'state', equals: filter.state }] : []),
  ];
}

interface List {
  readonly filter: TaskFilter;
  readonly ranges: readonly (readonly Filter[])[];
}

async function collect(app: App, list: List, walk: Walk, limit: number): Promise<readonly Found[]> {
  const found: Found[] = [];
  let cursor = walk.cursor;
  if (walk.phase === 'newest') {
    const rows = await mergedPage(app.store, newest(list), limit, cursor);
    found.push(...rows.map((entry) => ({ entry, phase: 'newest' as const })));
    // A page of one range is one read of the list: nothing can have moved in between.
    const oneRead = walk.cursor === undefined && list.ranges.length === 1;
    if (oneRead || found.length === limit) return found;
    cursor = undefined;
  }
  while (found.length < limit) {
    const wanted = limit - found.length;
    const rows = await mergedPage(app.store, moved(list, walk.began), wanted, cursor);
    // What was created since the walk began is no part of it.
    const present = rows.filter((row) => (row.value?.createdAt ?? 0) <= walk.began);
    found.push(...present.map((entry) => ({ entry, phase: 'moved' as const })));
    cursor = rows.at(-1)?.cursor;
    if (rows.length < wanted) break;
  }
  return found;
}

type ViewQuery = Query<ViewDoc | undefined>;

/** In each range of the list; the caller says how many. */
function newest({ filter, ranges }: List): readonly ViewQuery[] {
  const { statusAfter } = filter;
  return ranges.map((filters) => ({
    collection: 'tasks',
    codec: readableViewCodec,
    filters,
    order: { field: 'statusAt', direction: 'desc' },
    ...(statusAfter !== undefined && { from: { value: statusAfter, inclusive: true } }),
    limit: 0,
  }));
}

function moved({ filter, ranges }: List, began: number): readonly ViewQuery[] {
  const after = Math.max(began + 1, filter.statusAfter ?? 0);
  return ranges.map((filters) => ({
    collection: 'tasks',
    codec: readableViewCodec,
    filters,
    order: { field: 'statusAt', direction: 'asc' },
    from: { value: after, inclusive: true },
    limit: 0,
  }));
}

/**
 * A row whose content can't be opened keeps its place in the list, and one that can't even be read
 * is left out: neither must take the page down with it.
 */
async function unsealRow(
  app: App,
  { id, value: view }: Row,
  filter: TaskFilter,
): Promise<ListedTask | undefined> {
  if (view === undefined) {
    app.log.write('error', 'row not readable', { task: id });
    return undefined;
  }
  try {
    const wanted = { historyLength: filter.historyLength, artifacts: filter.includeArtifacts };
    const listed = await listedTask(app, await viewKeyOf(app, view), view, wanted);
    return listed.bytes > app.settings.answerBytes ? bare(view, { contentTooLarge: true }) : listed;
  } catch (error) {
    if (!isNotReadable(error)) throw error;
    return bare(view, { contentUnreadable: true });
  }
}

/** Without that word it would look like a task that made nothing. */
function bare({ contextId, state, statusAt, taskId }: ViewDoc, metadata: JsonObject): ListedTask {
  const status = { state: taskState(state), at: statusAt };
  return { task: { taskId, contextId, status, history: [], artifacts: [], metadata }, bytes: 0 };
}
