import type { App } from '../../shared/app/app.ts';
import { runsByPrefix } from '../../shared/app/operators/find-runs.ts';
import { taskId } from '../../shared/domain/ids.ts';
import { BadConfiguration } from '../settings.ts';

/** The id of the one task that begins so; what none does is left. Throws BadConfiguration. */
export async function wholeTask(app: App, given: string): Promise<string> {
  if (taskId(given) !== undefined) return given;
  const [only, ...others] = await runsByPrefix(app, given);
  if (only === undefined) return given;
  if (others.length === 0) return only.taskId;
  const names = [only, ...others].map((run) => run.taskId).join(', ');
  throw new BadConfiguration(`${given} is the beginning of several tasks: ${names}`);
}
