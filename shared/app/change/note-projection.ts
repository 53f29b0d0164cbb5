import { type Run, without } from '../../domain/run.ts';
import { isSettled } from '../../domain/status.ts';
import { projected } from '../../domain/transitions.ts';
import type { App } from '../app.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import type { ViewDoc } from '../records/documents.ts';
import { archiveTask } from './archive-task.ts';
import { changeRun } from './change-run.ts';
import { deleteObjects, deleteScrubbed } from './scrub.ts';

/**
 * What follows a complete projection: the archive at rest, then the note on the run that nothing is
 * due any more. While a run is under way the note waits for the run's next write, which carries it
 * for free.
 */
export async function noteProjection(app: App, run: Run, view: ViewDoc): Promise<void> {
  const { archivePending, projectedRevision, scrubPending } = run;
  if (projectedRevision >= view.projectedRevision && !scrubPending && !archivePending) return;
  const runKey = await runKeyOf(app, run);
  if (scrubPending) await deleteScrubbed(app, runKey);
  if (isSettled(view.state)) await archiveTask(app, runKey, view, run.archive);
  else if (!scrubPending && isUnderWay(app, run)) return;
  const { run: current } = await changeRun(app, run.taskId, {
    decide: (present) => (present.status === 'purging' ? undefined : noted(present, run, view)),
  });
  // Removed while its archive was being written: what came after the deletion would stay for good.
  if (current === undefined || current.status === 'purging') await deleteObjects(app, run);
}

/** The row with what was done for it as it was; undefined where it says so already. */
function noted(current: Run, done: Run, view: ViewDoc): Run | undefined {
  const sameKey = current.scrubbedRevision === done.scrubbedRevision;
  const scrubbed = current.scrubPending && sameKey;
  // What it has come to since has a copy to come of its own.
  const archived =
    current.archivePending === true && sameKey && current.revision === view.projectedRevision;
  const next = projected(current, view.projectedRevision);
  if (next === current && !scrubbed && !archived) return undefined;
  const rest = archived ? (without(next, 'archivePending') as Run) : next;
  return scrubbed ? { ...rest, scrubPending: false } : rest;
}

/** Its next write is not far. One that waits for a remote agent may have none for a day. */
function isUnderWay(app: App, { status, statusAt }: Run): boolean {
  return (
    status !== 'waiting_for_dependency' && app.clock.now() < statusAt + app.settings.sweepGrace
  );
}
