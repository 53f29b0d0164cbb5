import type { Archived, Run } from '../../domain/run.ts';
import { isSettled } from '../../domain/status.ts';
import { projected } from '../../domain/transitions.ts';
import type { App } from '../app.ts';
import { keepsFiles } from '../../domain/ceiling.ts';
import { endFiles } from '../files/end-files.ts';
import { publishFiles } from '../files/publish-files.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import type { ViewDoc } from '../records/documents.ts';
import { isArchiveDue, withCopy } from './archive-due.ts';
import { archiveTask, type ShownView } from './archive-task.ts';
import { changeRun } from './change-run.ts';
import { deleteObjects, deleteScrubbed } from './scrub.ts';

/**
 * What follows a complete projection: the archive, where a copy is due, then the note on the run
 * that nothing is due any more. While a run is under way the note waits for the run's next write,
 * which carries it for free.
 */
export async function noteProjection(app: App, run: Run, shown: ShownView): Promise<void> {
  const { view } = shown;
  const { projectedRevision, scrubPending } = run;
  const due = isArchiveDue(run, app.clock.now());
  if (projectedRevision >= view.projectedRevision && !scrubPending && !due) return;
  const runKey = await runKeyOf(app, run);
  if (scrubPending) await deleteScrubbed(app, runKey);
  if (scrubPending && !keepsFiles(run)) await endFiles(app, run);
  // Where a scrub has deleted the copy of an open task, another one takes its place.
  const again = scrubPending && run.archived !== undefined;
  const archived =
    due || again || isSettled(view.state) ? await archiveTask(app, runKey, shown, run) : undefined;
  if (isSettled(view.state)) await publishFiles(app, run);
  if (archived === undefined && !scrubPending && isUnderWay(app, run)) return;
  const { run: current } = await changeRun(app, run.taskId, {
    decide: (present) =>
      present.status === 'purging' ? undefined : noted(app, present, { run, view, archived }),
  });
  // Removed or scrubbed while its archive was being written: what came after the deletion would
  // stay for good.
  if (current === undefined || current.status === 'purging') await deleteObjects(app, run);
  else if (current.scrubbedRevision !== run.scrubbedRevision)
    await deleteScrubbed(app, { ...runKey, scrubbedRevision: current.scrubbedRevision });
}

interface Done {
  /** As it was when this was done for it. */
  readonly run: Run;
  readonly view: ViewDoc;
  readonly archived: Archived | undefined;
}

/** The row with what was done for it; undefined where it says so already. */
function noted(app: App, current: Run, { archived, run, view }: Done): Run | undefined {
  const sameKey = current.scrubbedRevision === run.scrubbedRevision;
  const scrubbed = current.scrubPending && sameKey;
  const next = projected(current, view.projectedRevision);
  const copied = sameKey && archived !== undefined && isNews(current, archived);
  if (next === current && !scrubbed && !copied) return undefined;
  const rest = copied ? withCopy(app, next, archived) : next;
  return scrubbed ? { ...rest, scrubPending: false } : rest;
}

function isNews({ archived, archiveAt, archivePending }: Run, copy: Archived): boolean {
  if (archiveAt !== undefined || archivePending === true) return true;
  return (archived?.revision ?? 0) < copy.revision;
}

/** Its next write is not far. One that waits for a remote agent may have none for a day. */
function isUnderWay(app: App, { status, statusAt }: Run): boolean {
  return (
    status !== 'waiting_for_dependency' && app.clock.now() < statusAt + app.settings.sweepGrace
  );
}
