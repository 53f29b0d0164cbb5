import { strictestArchive } from '../../domain/ceiling.ts';
import type { Run } from '../../domain/run.ts';
import { tighten } from '../../domain/transitions.ts';
import type { App } from '../app.ts';
import { archiveNames } from '../change/archive-task.ts';
import { runDoc } from '../records/documents.ts';
import { ceilingsOf } from './policy.ts';
import { tightenCeiling } from './tighten-ceiling.ts';

/**
 * The run under what installation, provider and publication allow now, which may be less than when
 * it was accepted: asked before anything of it is read, run or added to. Costs nothing where the
 * row is as strict already. Undefined: the run is gone.
 */
export async function underPolicy(app: App, run: Run): Promise<Run | undefined> {
  const {
    answerCeiling: answer,
    archive,
    auditCeiling: audit,
  } = ceilingsOf(app, app.agents.get(run.agent));
  const wanted = { answer, audit, archive };
  if (run.status === 'purging' || tighten(run, wanted) === undefined) return run;
  // What is to be kept sealed, or not at all, may lie there in clear since the last wait.
  if (run.archive !== strictestArchive(run.archive, archive))
    await app.blobs.delete(archiveNames(run).standard);
  const outcome = await tightenCeiling(app, run.taskId, wanted);
  app.log.write('warning', 'policy is stricter than when the task was accepted', {
    task: run.taskId,
    answer,
    audit,
    archive,
    outcome,
  });
  return app.store.get(runDoc(run.taskId));
}
