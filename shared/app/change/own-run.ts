import { type Principal, scopeOf, taskId } from '../../domain/ids.ts';
import { type Refused, refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { failIfUnreadable } from './fail-if-unreadable.ts';

/** The caller's own run, to be changed; or the one answer for unknown and foreign ids (G23). */
export async function ownRun(app: App, principal: Principal, id: string): Promise<Run | Refused> {
  const known = taskId(id);
  const run = known === undefined ? undefined : await app.store.get(runDoc(known));
  if (run === undefined || run.status === 'purging') return unknownTask();
  if (run.scope !== scopeOf(principal)) return unknownTask();
  return (await failIfUnreadable(app, run)) ?? unknownTask();
}

export function unknownTask(): Refused {
  return refused('TASK_NOT_FOUND', 'task not found');
}
