import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * What was shown is to be told to the webhooks of the task. Here, because whatever shows something
 * passes by; of a task without webhooks it costs nothing.
 */
export async function tellOf(app: App, run: Run): Promise<void> {
  if (run.webhooks !== undefined) await wakeUp(app, run, ['push']);
}
