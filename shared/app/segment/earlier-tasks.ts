import { listedAs, taskId } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Task } from '../../domain/task.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { mergedPage } from '../records/merged-rows.ts';
import { type ViewDoc, viewCodec, viewDoc } from '../records/documents.ts';
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
  const { lists } = await app.shards.toRead();
  const limit = EARLIER + 1;
  const queries = Array.from(
    { length: lists },
    (_, shard): Query<ViewDoc> => ({
      collection: 'tasks',
      codec: viewCodec,
      filters: [
        { field: 'scope', equals: listedAs(run.scope, shard) },
        { field: 'contextId', equals: run.contextId },
      ],
      order: { field: 'statusAt', direction: 'desc' },
      limit,
    }),
  );
  const rows = await mergedPage(app.store, queries, limit);
  const others = rows.filter((row) => row.value.taskId !== run.taskId).slice(0, EARLIER);
  return Promise.all(
    others.map(async ({ value }) => unsealTask(app, await viewKeyOf(app, value), value)),
  );
}
