import { taskId } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Recalled, RecalledTask } from '../agents.ts';
import type { App } from '../app.ts';
import { viewKeyOf } from '../content/sealing-key.ts';
import { unsealBriefly } from '../content/snapshot.ts';
import { readableViewCodec, type ViewDoc, viewDoc } from '../records/documents.ts';
import { isNotReadable } from '../records/unreadable.ts';
import { earlierViews } from './earlier-tasks.ts';

/** Of one task, as stored: a context may have many, and a task 30 MiB. */
const BYTES = 256 * 1024;

/**
 * Completed tasks of the same caller in the same context, newest first, or those that are named: as
 * they may be read now. Nothing of them is stored with the run, so what is removed or redacted
 * there is gone for it, too (decision 0050). Throws Unavailable.
 */
export async function recallTasks(
  app: App,
  run: Run,
  taskIds?: readonly string[],
): Promise<Recalled> {
  const { views, more } =
    taskIds === undefined
      ? await earlierViews(app, run)
      : { views: await named(app, taskIds), more: false };
  const own = views.filter((view) => view.state === 'COMPLETED' && isOfContext(view, run));
  const tasks = await Promise.all(own.map((view) => readable(app, view)));
  return { tasks: tasks.filter((task) => task !== undefined), more };
}

/** Of the same caller and the same agent (G23). */
const isOfContext = ({ contextId, scope }: ViewDoc, run: Run): boolean =>
  scope === run.scope && contextId === run.contextId;

async function named(app: App, ids: readonly string[]): Promise<readonly ViewDoc[]> {
  const known = ids.map((id) => taskId(id)).filter((id) => id !== undefined);
  if (known.length === 0) return [];
  const views = await app.store.getAll(
    known.map((id) => ({ ...viewDoc(id), codec: readableViewCodec })),
  );
  return views.filter((view) => view !== undefined);
}

async function readable(app: App, view: ViewDoc): Promise<RecalledTask | undefined> {
  try {
    return await unsealBriefly(app, await viewKeyOf(app, view), view, BYTES);
  } catch (error) {
    // A task whose key is away, or that is damaged, is not remembered; this run is none the worse.
    if (isNotReadable(error)) return undefined;
    throw error;
  }
}
