import type { Refused } from '../../domain/refusal.ts';
import { step as stepped } from '../../domain/waiting.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { mayDecide } from './decider.ts';
import { stepOf } from './decide-directly.ts';
import { type Decided, unsealDecision } from './decision-record.ts';
import type { Lease } from '../segment/lease.ts';
import { type DecisionDoc, decisionDoc } from '../records/work-documents.ts';
import { workKeyOf } from '../content/work-key.ts';
import { prepareStep } from '../change/prepare-step.ts';
import { pauseAgain } from './pause-again.ts';
import type { SegmentOutcome } from '../segment/end-segment.ts';

/**
 * What a worker does before anything else with a run that a stored decision brought back: it checks
 * the decider's rights again, and takes the decision into the transcript. From then on it can't be
 * used again, and before that it can't be lost (G18). Returns how the segment ended, if it did:
 * without the right the run goes back into its pause (G18).
 */
export async function applyDecision(app: App, lease: Lease): Promise<SegmentOutcome | undefined> {
  const { run } = lease;
  const { continuation, taskId } = run;
  if (continuation?.kind !== 'decision') return undefined;
  const at = decisionDoc(taskId, continuation.generation);
  const doc = await app.store.get(at);
  // A run goes on with the decision about its newest pause, and with no older one.
  if (doc === undefined || doc.generation !== run.pauseGeneration) throw new Unreadable(at.path);
  const { key: workKey } = await workKeyOf(app, run);
  const decided = await unsealDecision(app, workKey, doc);
  const forbidden = await mayDecide(app, run, doc.by, decided.actor, doc.kind);
  if (forbidden !== undefined) return release(app, lease, doc, forbidden);
  const outcome = await applyAllowed(app, lease, doc, decided);
  return outcome.kind === 'changed' ? undefined : outcome;
}

async function applyAllowed(
  app: App,
  lease: Lease,
  doc: DecisionDoc,
  { input, note }: Decided,
): Promise<SegmentOutcome> {
  const { by, generation: pauseGeneration, kind } = doc;
  const given = {
    kind,
    pauseGeneration,
    ...(input !== undefined && { input }),
    ...(note !== undefined && { note }),
  };
  const step = stepOf({ kind: by }, given);
  const { run, token } = lease.claimed;
  const number = run.steps + 1;
  const { askedAt } = run.continuation ?? {};
  const told = askedAt === undefined ? {} : { startedAt: askedAt };
  const done = kind === 'deny' ? 'all' : [];
  return lease.commit({
    seal: async (keys) => ({
      writeStep: await prepareStep(app, keys, number, { step, fence: run.fence, told }),
    }),
    // What was denied is not carried out, whatever became of it meanwhile.
    decide: (current, now) =>
      stepped(current, token, now + app.settings.lease, { number, done }, now),
    write(tx, next, { writeStep }) {
      writeStep(tx, next);
      const settledAt = app.clock.now();
      tx.set(decisionDoc(run.taskId, pauseGeneration), { ...doc, state: 'consumed', settledAt });
    },
  });
}

async function release(
  app: App,
  lease: Lease,
  doc: DecisionDoc,
  { message: why }: Refused,
): Promise<SegmentOutcome> {
  const { taskId: task } = lease.run;
  const { generation, id } = doc;
  app.log.write('warning', 'decision refused', { task, decision: id, generation, why });
  return pauseAgain(app, lease, doc);
}
