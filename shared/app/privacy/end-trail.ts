import type { Millis } from '../../domain/brand.ts';
import { withoutWords } from '../../domain/agent-error.ts';
import { type Run, without } from '../../domain/run.ts';
import type { Trail } from '../../domain/trail.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { runKeyOf, type SealingKey } from '../content/sealing-key.ts';
import { faded } from '../content/trail-key.ts';
import { runDoc } from '../records/documents.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';

/**
 * Destroys what was said in the steps of a run when its time is over: the key that opens it leaves
 * the row, and names, times and classes stay until the run is removed. Throws KeyMissing,
 * Unavailable.
 */
export async function endTrail(app: App, taskId: string): Promise<void> {
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined || !isOver(run, app.clock.now())) return;
  const runKey = await undefinedIfUnreadable(() => runKeyOf(app, run));
  const outcome = await changeRun(app, taskId, {
    decide(current, now) {
      // It got another key meanwhile: the sweeper comes again.
      if (!isOver(current, now) || current.scrubbedRevision !== run.scrubbedRevision)
        return undefined;
      return withFadedTrail(app, current, current.trail, runKey);
    },
  });
  if (outcome.kind === 'changed') app.log.write('info', 'trail ended', { task: taskId });
}

function isOver(run: Run, now: Millis): run is Run & { readonly trail: Trail } {
  return run.trail?.until !== undefined && run.trail.until <= now && run.status !== 'purging';
}

function withFadedTrail(app: App, run: Run, present: Trail, runKey: SealingKey | undefined): Run {
  const bare = withoutWords(without(run, 'trail') as Run);
  const trail = runKey && faded(app, present, runKey);
  return trail === undefined ? bare : { ...bare, trail };
}
