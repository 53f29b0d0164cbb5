import type { Refused } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { projectRun } from '../change/project-run.ts';
import type { Accepted, SendRequest } from '../service.ts';

/**
 * A caller that waits reads the task when the worker has projected it; any other reads it next, so
 * what took its message is projected first.
 */
export async function readable(
  app: App,
  { blocking }: SendRequest,
  taken: Accepted | Refused,
): Promise<Accepted | Refused> {
  if (taken.kind === 'accepted' && !blocking) await projectRun(app, taken.taskId);
  return taken;
}
