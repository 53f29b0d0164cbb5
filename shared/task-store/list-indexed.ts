import type { ListTasksRequest, ListTasksResponse } from '@a2a-js/sdk';
import type { Blobs } from '../ports/blobs.ts';
import type { Log } from '../ports/log.ts';
import { placeOf, type Scope } from './layout.ts';
import { matches, PAGE_SIZE, readable, shownTask, wantedState } from './list-tasks.ts';
import { decodeToken, encodeToken } from './page-token.ts';
import { segmentOf } from './segment.ts';
import type { TaskIndex } from './task-index.ts';

/**
 * The same list by an index. Each task of the page is read from the bucket, and shown as it is
 * there; one that no longer is what was asked for is left out, so a page may have fewer than asked.
 */
export async function listIndexed(
  blobs: Blobs,
  index: TaskIndex,
  scope: Scope,
  params: ListTasksRequest,
  log: Log | undefined,
): Promise<ListTasksResponse> {
  const { pageSize = PAGE_SIZE, pageToken, contextId, statusTimestampAfter } = params;
  const after = pageToken === '' ? undefined : decodeToken(pageToken);
  // No task can have it, and no database need be asked what it makes of it.
  if (contextId !== '' && segmentOf(contextId) === undefined) {
    return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
  }
  const state = wantedState(params);
  const query = {
    ...(contextId !== '' && { contextId }),
    ...(state !== undefined && { state }),
    ...(statusTimestampAfter && { after: Date.parse(statusTimestampAfter) }),
  };
  const [rows, totalSize] = await Promise.all([
    index.page(scope, query, pageSize + 1, after),
    index.count(scope, query),
  ]);
  const shown = rows.slice(0, pageSize);
  const found = await Promise.all(
    shown.map(async ({ id, contextId: ofRow }) => {
      const place = placeOf(scope, id, ofRow);
      return place && readable(blobs, place.task, log);
    }),
  );
  const last = shown.at(-1);
  return {
    tasks: found
      .filter((each) => each !== undefined)
      .filter(({ task }) => matches(params, task))
      .map(({ text }) => shownTask(text, params)),
    nextPageToken: rows.length > pageSize && last !== undefined ? encodeToken(last) : '',
    pageSize,
    totalSize,
  };
}
