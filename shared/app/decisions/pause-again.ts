import type { App } from '../app.ts';
import type { Outcome } from '../change/run-change.ts';
import { receiptOfDecision, shownReceipt } from './decision-record.ts';
import type { Lease } from '../segment/lease.ts';
import { readPause } from '../content/read-pause.ts';
import { type DecisionDoc, decisionDoc } from '../records/work-documents.ts';
import { pauseRun } from '../segment/pause-run.ts';

/**
 * running -> the pause that a decision was made for, because its decider may not decide that any
 * more: the same question, under the next generation, so that a new decision is needed. Nothing of
 * the old one has happened (G18).
 */
export async function pauseAgain(app: App, lease: Lease, doc: DecisionDoc): Promise<Outcome> {
  const { taskId } = lease.run;
  const { generation } = doc;
  const request = await readPause(app, lease.run, generation);
  const receipt = receiptOfDecision(taskId, doc);
  return pauseRun(app, lease, [], request, {
    pins: lease.run.pins ?? [],
    metadata: { decision: shownReceipt(receipt, true) },
    also: (tx) =>
      tx.set(decisionDoc(taskId, generation), {
        ...doc,
        state: 'refused',
        settledAt: app.clock.now(),
      }),
  });
}
