import type { App } from '../app.ts';
import type { Changed, Unchanged } from '../change/change-run.ts';
import { receiptOfDecision, shownReceipt } from './decision-record.ts';
import type { Hold } from '../segment/hold-run.ts';
import { openPause } from '../content/open-pause.ts';
import { type DecisionDoc, decisionDoc } from '../records/payload-documents.ts';
import { pauseRun } from '../segment/pause-run.ts';

/**
 * running -> the pause that a decision was made for, because its decider may not decide that any more: the same question, under the
 * next generation, so that somebody must decide anew. Nothing of the decision has happened (section 4 of the architecture).
 */
export async function releaseRun(
  app: App,
  hold: Hold,
  doc: DecisionDoc,
): Promise<Changed | Unchanged> {
  const { taskId } = hold.run;
  const { generation } = doc;
  const { request } = await openPause(app, hold.run, generation);
  const receipt = receiptOfDecision(taskId, doc);
  return pauseRun(app, hold, [], request, {
    metadata: { decision: shownReceipt(receipt, true) },
    also: (tx) =>
      tx.set(decisionDoc(taskId, generation), {
        ...doc,
        state: 'refused',
        settledAt: app.clock.now(),
      }),
  });
}
