import type { Run } from '../../domain/run.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';

/**
 * Reads what belongs to a run in the state in which the caller knows it. Undefined when that can't
 * be read because the run has moved on, or is gone: no fault, but an answer that its row gives.
 * Throws Unreadable where it stands as it was.
 */
export async function unlessMoved<T>(
  app: App,
  run: Run,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const current = await app.store.get(runDoc(run.taskId));
    const stands =
      current?.status === run.status &&
      current.pauseGeneration === run.pauseGeneration &&
      current.scrubbedRevision === run.scrubbedRevision;
    if (stands) throw error;
    return undefined;
  }
}
