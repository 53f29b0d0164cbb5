import type { Run } from '../../domain/run.ts';
import { isActive } from '../../domain/transitions.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { failScrubbed } from './fail-scrubbed.ts';

/**
 * A run that waits for a person is not due, so no handler notices that its key is gone. The next
 * change does: the run ends FAILED (G24), and that is what the caller finds. A key that is only not
 * at hand ends nothing. Undefined: the run is there no more. Throws KeyMissing, Unavailable.
 */
export async function failIfUnreadable(app: App, run: Run): Promise<Run | undefined> {
  if (!isActive(run) || (await isKeyUsable(app, run))) return run;
  await failScrubbed(app, run, 'STATE_UNREADABLE', (active) => active);
  return app.store.get(runDoc(run.taskId));
}

/**
 * A run whose key is gone can't be read and can't go on; with a fresh key it can at least say so
 * (G24).
 */
export async function isKeyUsable(app: App, run: Run): Promise<boolean> {
  try {
    await app.keys.unwrap(run.taskId, run.wrappedKey);
    return true;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}
