import type { Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { step as stepped } from '../../domain/waiting.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { mayDecide } from './decider.ts';
import { stepOf } from './decide-directly.ts';
import { type Decided, openDecision } from './decision-record.ts';
import type { Hold } from '../segment/hold-run.ts';
import { type DecisionDoc, decisionDoc } from '../records/payload-documents.ts';
import { payloadOf } from '../content/payload.ts';
import { prepareStep } from '../change/prepare-step.ts';
import { releaseRun } from './release-run.ts';
import type { Settled } from '../segment/settle-segment.ts';

/**
 * What a worker does before anything else with a run that a stored decision brought back: it checks the decider's rights again, and
 * takes the decision into the transcript. From then on it can't be used again, and before that it can't be lost (case H2). Answers
 * how the segment is over, if it is: rights that are gone put the run back into its pause (G18).
 */
export async function takeInDecision(app: App, hold: Hold): Promise<Settled | undefined> {
  const { run } = hold;
  const { continuation, taskId } = run;
  if (continuation?.kind !== 'decision') return undefined;
  const at = decisionDoc(taskId, continuation.generation);
  const doc = await app.store.get(at);
  if (doc === undefined) throw new Unreadable(at.path);
  const { place } = await payloadOf(app, run);
  const decided = await openDecision(app, place, doc);
  const forbidden = await mayDecide(app, run, doc.by, decided.actor, doc.kind);
  if (forbidden !== undefined) return release(app, hold, doc, forbidden);
  const outcome = await takeIn(app, hold, doc, decided);
  return outcome.kind === 'changed' ? undefined : outcome;
}

async function takeIn(
  app: App,
  hold: Hold,
  doc: DecisionDoc,
  { input }: Decided,
): Promise<Settled> {
  const { by, generation: pauseGeneration, kind } = doc;
  const given = { kind, pauseGeneration, ...(input !== undefined && { input }) };
  const step = stepOf({ kind: by }, given);
  const { run, token } = hold.claimed;
  const number = run.steps + 1;
  return hold.commit(
    undefined,
    (current, now): Run | undefined =>
      stepped(current, token, now + app.settings.lease, { number }, now),
    async (payload) => {
      const write = await prepareStep(app, payload, number, { step, fence: run.fence });
      return (tx, next) => {
        write(tx, next);
        tx.set(decisionDoc(run.taskId, pauseGeneration), {
          ...doc,
          state: 'consumed',
          settledAt: app.clock.now(),
        });
      };
    },
  );
}

async function release(
  app: App,
  hold: Hold,
  doc: DecisionDoc,
  { message: why }: Refused,
): Promise<Settled> {
  const { taskId: task } = hold.run;
  const { generation, id } = doc;
  app.log.write('warning', 'decision refused', { task, decision: id, generation, why });
  return releaseRun(app, hold, doc);
}
