import { type Principal, scopeOf } from '../../domain/ids.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { decide } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import type { DecisionPart } from '../content/decision-part.ts';
import { type ReceiptDoc, receiptDoc } from '../records/documents.ts';
import { acceptedBefore, digestOf, isRecognised, receiptOf } from '../records/receipt.ts';
import type { Accepted, SendRequest } from '../service.ts';
import { recordDecision } from '../decisions/record-decision.ts';
import { wakeUp } from '../wake-up.ts';

/**
 * A message with a decision in it: stored as its owner's, and never carried out in the request that brings it (G18). A
 * retry of the message is answered as before, whatever has become of the pause meanwhile (G22).
 */
export async function decideByMessage(
  app: App,
  principal: Principal,
  request: SendRequest,
  run: Run,
  part: DecisionPart,
): Promise<Accepted | Refused> {
  const { message } = request;
  const { at, decision } = part;
  const digest = digestOf(request);
  const recognised = isRecognised(app, principal);
  const receiptAt = receiptDoc(scopeOf(principal), message.messageId);
  const live = (doc: ReceiptDoc | undefined): ReceiptDoc | undefined =>
    doc !== undefined && doc.expiresAt > app.clock.now() ? doc : undefined;
  const earlier = recognised ? live(await app.store.get(receiptAt)) : undefined;
  if (earlier !== undefined) return acceptedBefore(earlier, digest);
  const met: { twin?: ReceiptDoc | undefined } = {};

  const taken = await recordDecision(app, run, {
    decider: { kind: 'owner', principal },
    decision,
    mode: 'stored',
    field: (path) => `message.parts[${at}].data${path}`,
    said: { message, part },
    async prior(tx) {
      met.twin = recognised ? live(await tx.get(receiptAt)) : undefined;
    },
    advance: (current, now) =>
      met.twin === undefined ? decide(current, decision.pauseGeneration, now) : undefined,
    along: () =>
      Promise.resolve((tx, next) => {
        if (!recognised) return;
        const expiresAt = next.statusAt + app.settings.receiptLife;
        tx.set(receiptAt, receiptOf(acceptedBy(next, next.revision), digest, expiresAt));
      }),
  });
  // Its twin, or another message under the same id, came first.
  if (met.twin !== undefined) return acceptedBefore(met.twin, digest);
  if (isRefused(taken)) return taken;
  if (taken.run !== undefined) await wakeUp(app, taken.run);
  return acceptedBy(run, taken.revision);
}

const acceptedBy = ({ contextId, taskId }: Run, revision: number): Accepted => ({
  kind: 'accepted',
  taskId,
  contextId,
  revision,
});
