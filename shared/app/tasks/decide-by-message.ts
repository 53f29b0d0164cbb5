import type { Principal } from '../../domain/ids.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { decide } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import type { DecisionPart } from '../content/decision-part.ts';
import { acceptedBy, receiptFor } from '../records/receipt.ts';
import type { Accepted, SendRequest } from '../service.ts';
import { recordDecision } from '../decisions/record-decision.ts';
import { wakeUp } from '../wake-up.ts';
import { webhookWith } from '../webhooks/with-message.ts';

/**
 * A message with a decision in it: stored as its owner's, and never carried out in the request that
 * brings it (G18). A retry of the message is answered as before, whatever has become of the pause
 * meanwhile (G22).
 */
export async function decideByMessage(
  app: App,
  principal: Principal,
  request: SendRequest,
  run: Run,
  part: DecisionPart,
): Promise<Accepted | Refused> {
  const { message, beside } = request;
  const { at, decision } = part;
  const receipt = receiptFor(app, principal, request);
  const earlier = await receipt.find(app.store);
  if (earlier !== undefined) return receipt.answer(earlier);
  const webhook = webhookWith(app, run, request);
  const unfit = webhook.objection(run);
  if (unfit !== undefined) return unfit;

  const taken = await recordDecision(app, run, {
    decider: { kind: 'owner', principal },
    decision,
    mode: 'stored',
    field: (path) => `message.parts[${at}].data${path}`,
    said: { message, part, ...(beside !== undefined && { beside }) },
    change: {
      seal: (keys) => ({ digest: receipt.digest(keys.runKey), ...webhook.seal(keys) }),
      read: async (tx, current, sealed) => ({
        twin: await receipt.find(tx),
        ...(await webhook.read(tx, current, sealed)),
      }),
      stale: (found) => webhook.stale(found),
      decide(current, now, { hook, twin }) {
        const decided =
          twin === undefined ? decide(current, decision.pauseGeneration, now) : undefined;
        return decided && webhook.addTo(decided, { hook });
      },
      write(tx, next, { digest, ...found }) {
        receipt.write(tx, next, digest);
        webhook.write(tx, found);
      },
    },
  });
  if (!isRefused(taken) && taken.run !== undefined) {
    await wakeUp(app, taken.run);
    return acceptedBy(taken.run);
  }
  // Its twin, or another message under the same id, came first.
  const twin = await receipt.find(app.store);
  if (twin !== undefined) return receipt.answer(twin);
  return isRefused(taken) ? taken : { ...acceptedBy(run), revision: taken.revision };
}
