import { listedAs, taskId } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Task } from '../../domain/task.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { mergedPage } from '../records/merged-rows.ts';
import { readableViewCodec, type ViewDoc, viewDoc } from '../records/documents.ts';
import { viewKeyOf } from '../content/sealing-key.ts';
import { unsealTask } from '../content/snapshot.ts';

/** Enough for an agent to pick up a conversation; a context can be years old. */
const EARLIER = 20;

/** A task of the same caller by its id; undefined for unknown and foreign ids alike (G23). */
export async function taskById(app: App, run: Run, id: string): Promise<Task | undefined> {
  const known = taskId(id);
  const view = known && (await app.store.get(viewDoc(known)));
  if (view === undefined || view.scope !== run.scope) return undefined;
  return unsealTask(app, await viewKeyOf(app, view), view);
}

/** Tasks of the same caller in the same context, newest first, without the run's own. */
export async function earlierTasks(app: App, run: Run): Promise<readonly Task[]> {
  const { views } = await earlierViews(app, run);
  return Promise.all(views.map(async (view) => unsealTask(app, await viewKeyOf(app, view), view)));
}

/** The same, as they are stored, and whether there are more. */
export async function earlierViews(
  app: App,
  run: Run,
): Promise<{ readonly views: readonly ViewDoc[]; readonly more: boolean }> {
  const { lists } = await app.shards.toRead();
  const limit = EARLIER + 1;
  const queries = Array.from(
    { length: lists },
    (_, shard): Query<ViewDoc | undefined> => ({
      collection: 'tasks',
      codec: readableViewCodec,
      filters: [
        { field: 'scope', equals: listedAs(run.scope, shard) },
        { field: 'contextId', equals: run.contextId },
      ],
      order: { field: 'statusAt', direction: 'desc' },
      limit,
    }),
  );
  const rows = await mergedPage(app.store, queries, limit);
  const others = rows
    .map(({ value }) => value)
    .filter((view) => view !== undefined)
    .filter((view) => view.taskId !== run.taskId);
  return { views: others.slice(0, EARLIER), more: others.length > EARLIER };
}
