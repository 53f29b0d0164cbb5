import type { MemoryBackend } from '../../../testing/memory-backend.ts';
import { isEnded } from '../../../shared/domain/run.ts';
import type { Commit } from '../record.ts';
import { allRuns, contextOf } from '../../../testing/rows.ts';
import { runChanges } from './row-changes.ts';

const PARALLEL: readonly string[] = ['parallel', 'keeps-parallel', 'keeps-clashing'];

/**
 * One open task per context, and the context says which (G19). An agent that takes several at once
 * has said so.
 */
export function oneActiveTaskPerContext(
  commit: Commit,
  backend: MemoryBackend,
): string | undefined {
  const touched = runChanges(commit).some(({ before, after }) => before?.status !== after?.status);
  if (!touched) return undefined;
  const open = new Map<string, string>();
  for (const run of allRuns(backend)) {
    if (PARALLEL.includes(run.agent)) continue;
    const active = contextOf(backend, run)?.activeTask;
    if (isEnded(run)) {
      if (active === run.taskId) return `the context still waits for ${run.taskId}, which ended`;
      continue;
    }
    const context = `${run.scope} ${run.contextId}`;
    const other = open.get(context);
    if (other !== undefined) return `${other} and ${run.taskId} are open in one context`;
    if (active !== run.taskId) return `the context knows nothing of ${run.taskId}`;
    open.set(context, run.taskId);
  }
  return undefined;
}
