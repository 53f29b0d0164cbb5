import {
  type ListTasksRequest,
  type ListTasksResponse,
  type Task,
  taskStateToJSON,
} from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { Blobs } from '../ports/blobs.ts';
import { isFault } from '../ports/faults.ts';
import type { Log } from '../ports/log.ts';
import { contextFolder, contextsFolder, isTaskName, type Scope } from './layout.ts';
import { namesUnder } from './names-under.ts';
import { comparePlaces, decodeToken, encodeToken, type ListPlace } from './page-token.ts';
import { parseTask, stateOf, statusTime, type TaskJson, taskOf } from './task-json.ts';
import { readTask } from './task-object.ts';

/** A list that has to read more tasks than this is refused. */
export const MOST_READ = 10_000;
const AT_ONCE = 16;
export const PAGE_SIZE = 50;

interface Listed extends ListPlace {
  readonly text: string;
}

/**
 * Reads every task under the prefix and keeps the page: memory is that of one page, however many
 * there are.
 */
export async function listTasks(
  blobs: Blobs,
  scope: Scope,
  params: ListTasksRequest,
  log: Log | undefined,
): Promise<ListTasksResponse> {
  const { pageSize = PAGE_SIZE, pageToken, contextId } = params;
  const after = pageToken === '' ? undefined : decodeToken(pageToken);
  const prefix = contextId === '' ? contextsFolder(scope) : contextFolder(scope, contextId);
  const page: Listed[] = [];
  let total = 0;
  if (prefix !== undefined) {
    for await (const found of tasksUnder(blobs, scope, prefix, log)) {
      if (!matches(params, found.task)) continue;
      total += 1;
      const { task, text } = found;
      const listed = { time: statusTime(task), id: task.id, text };
      if (after !== undefined && comparePlaces(listed, after) <= 0) continue;
      insert(page, listed, pageSize + 1);
    }
  }
  const shown = page.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    tasks: shown.map(({ text }) => shownTask(text, params)),
    nextPageToken: page.length > pageSize && last !== undefined ? encodeToken(last) : '',
    pageSize,
    totalSize: total,
  };
}

/** Throws UnsupportedOperationError after the last that it reads, where there are more. */
async function* tasksUnder(
  blobs: Blobs,
  scope: Scope,
  prefix: string,
  log: Log | undefined,
): AsyncIterable<{ readonly task: TaskJson; readonly text: string }> {
  let read = 0;
  for await (const page of namesUnder(blobs, prefix)) {
    const names = page.filter((name) => isTaskName(scope, name));
    read += names.length;
    if (read > MOST_READ) throw new UnsupportedOperationError(TOO_MANY);
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const batch = names.slice(at, at + AT_ONCE);
      const found = await Promise.all(batch.map((name) => readable(blobs, name, log)));
      for (const each of found) if (each !== undefined) yield each;
    }
  }
}

const TOO_MANY = `There are more than ${MOST_READ} tasks to read. Ask for one context; the server's owner can give the store an index.`;

/** One object that is no task, or is deleted meanwhile, must not hide the others. */
export async function readable(blobs: Blobs, name: string, log: Log | undefined) {
  const stored = await readTask(blobs, name);
  if (stored === undefined) return undefined;
  try {
    return { task: parseTask(stored.text, name), ...stored };
  } catch (error) {
    if (!isFault(error)) throw error;
    log?.write('error', 'unreadable task', { name, fault: error.name });
    return undefined;
  }
}

/** Undefined: any. */
export function wantedState({ status }: ListTasksRequest): string | undefined {
  return status > 0 ? taskStateToJSON(status) : undefined;
}

export function matches(params: ListTasksRequest, task: TaskJson): boolean {
  const { contextId, statusTimestampAfter } = params;
  if (contextId !== '' && task.contextId !== contextId) return false;
  if (stateOf(task) !== (wantedState(params) ?? stateOf(task))) return false;
  // Strictly later, as the SDK's stores compare; a task without a time never is.
  const after = statusTimestampAfter ?? '';
  return (
    after === '' || (task.status?.timestamp !== undefined && statusTime(task) > Date.parse(after))
  );
}

/** Keeps the first `most` in order. */
function insert(page: Listed[], listed: Listed, most: number): void {
  const at = page.findIndex((each) => comparePlaces(listed, each) < 0);
  if (at >= 0) page.splice(at, 0, listed);
  else page.push(listed);
  if (page.length > most) page.pop();
}

export function shownTask(text: string, { includeArtifacts }: ListTasksRequest): Task {
  const task = taskOf(text);
  return includeArtifacts === true ? task : { ...task, artifacts: [] };
}
