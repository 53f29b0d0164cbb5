import { type Principal, scopeOf, taskId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ShownStatus } from '../../domain/response-trace.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';

/** The trace of the caller's own task; undefined for unknown and foreign ids alike (G23). */
export async function traceOf(
  app: App,
  principal: Principal,
  id: string,
  shown: ShownStatus,
): Promise<JsonObject | undefined> {
  const known = taskId(id);
  const run = known && (await app.store.get(runDoc(known)));
  if (run === undefined || run.status === 'purging' || run.scope !== scopeOf(principal))
    return undefined;
  // Loaded with the first that is asked for: most starts never meet one.
  const { taskTrace } = await import('../content/task-trace.ts');
  return taskTrace(app, run, shown);
}
