import type { Run } from '../../domain/run.ts';
import type { Task } from '../../domain/task.ts';
import type { App } from '../app.ts';
import { viewCodec } from '../records/documents.ts';
import { viewKeyOf } from '../content/sealing-key.ts';
import { unsealTask } from '../content/snapshot.ts';

/** Enough for an agent to pick up a conversation; a context can be years old. */
const EARLIER = 20;

/** Tasks of the same caller in the same context, newest first, without the run's own. */
export async function earlierTasks(app: App, run: Run): Promise<readonly Task[]> {
  const rows = await app.store.page({
    collection: 'tasks',
    codec: viewCodec,
    filters: [
      { field: 'scope', equals: run.scope },
      { field: 'contextId', equals: run.contextId },
    ],
    order: { field: 'statusAt', direction: 'desc' },
    limit: EARLIER + 1,
  });
  const others = rows.filter((row) => row.value.taskId !== run.taskId).slice(0, EARLIER);
  return Promise.all(
    others.map(async ({ value }) => unsealTask(app, await viewKeyOf(app, value), value)),
  );
}
