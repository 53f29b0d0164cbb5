import { strictest } from '../../domain/ceiling.ts';
import type { NewAudit } from '../../domain/audit.ts';
import type { Millis } from '../../domain/brand.ts';
import type { FailureReason } from '../../domain/failure-reason.ts';
import type { Run } from '../../domain/run.ts';
import { emptySnapshot } from '../../domain/task.ts';
import { fail, rekeyed } from '../../domain/transitions.ts';
import { resealOperatorActions } from '../content/operator-actions.ts';
import type { App } from '../app.ts';
import { resealOrphans } from '../content/reseal.ts';
import { resealWebhookKey } from '../content/webhook-target.ts';
import { preparePublication } from '../content/publication.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import { newRunKey, runKeyOf } from '../content/sealing-key.ts';
import { type RowKeys, trailAtEnd } from '../content/trail-key.ts';
import { packSnapshot } from '../content/snapshot.ts';
import { viewDoc } from '../records/documents.ts';
import { changeRun } from './change-run.ts';
import { afterEnd, agentMessage, failureWords } from './end-run.ts';
import { scrubbedView, unprojected } from './scrub.ts';

/**
 * Ends an active run FAILED and destroys what it holds: history, questions and artifacts go with
 * their key, the states stay. The fixed words of the failure are sealed with a new key, so this
 * works also when the old one can't be opened. `may` gives the row to fail, or undefined when this
 * caller may not. False: the run is not as it was; nothing changed.
 */
export async function failScrubbed(
  app: App,
  run: Run,
  reason: FailureReason,
  may: (run: Run, now: Millis) => Run | undefined,
  audit?: NewAudit,
): Promise<boolean> {
  // With its key gone, the remote task that the run waits for (or will by the time of the commit)
  // is unknown.
  const before = await undefinedIfUnreadable(() => runKeyOf(app, run));
  const { runKey, wrapped } = await newRunKey(app, run);
  const message = agentMessage(app, [{ text: failureWords(reason) }]);
  const status = { message, metadata: { reason } };
  const empty = await packSnapshot(app, runKey, [], emptySnapshot());
  const outcome = await changeRun(app, run.taskId, {
    ...(audit && { audit }),
    publish: await preparePublication(app, runKey, { status }, 'full'),
    read: async (tx) => ({ view: (await tx.get(viewDoc(run.taskId))) ?? unprojected(run) }),
    decide(current, now) {
      const same =
        current.revision === run.revision && current.scrubbedRevision === run.scrubbedRevision;
      const allowed = same ? may(current, now) : undefined;
      const failed = allowed && fail(allowed, reason, now);
      return (
        failed && {
          ...rekeyed(failed, current, wrapped),
          ...(before && resealOrphans(app, failed, before, runKey)),
          ...(before && resealOperatorActions(app, failed, before, runKey)),
          ...(before && resealWebhookKey(app, failed, before, runKey)),
          ...(before && keptTrail(app, current, failed, { before, after: runKey })),
        }
      );
    },
    write: (tx, next, { view }) =>
      tx.set(viewDoc(run.taskId), scrubbedView(app, next, view, { ...empty, runKey })),
  });
  if (outcome.kind !== 'changed') return false;
  app.segments.stop(run.taskId, 'lost');
  await afterEnd(app, outcome);
  return true;
}

/** Of its steps at most what names no content: what it holds is destroyed. */
function keptTrail(app: App, before: Run, failed: Run, keys: RowKeys): Pick<Run, 'trail'> {
  const auditCeiling = strictest(failed.auditCeiling, 'metadata');
  const trail = trailAtEnd(app, before, { ...failed, auditCeiling }, keys);
  return trail === undefined ? {} : { trail };
}
