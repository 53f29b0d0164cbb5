import type { Delivering } from '../../domain/webhook.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { openEntry } from '../content/journal-entry.ts';
import { viewKeyOf } from '../content/sealing-key.ts';
import { viewDoc } from '../records/documents.ts';
import { entriesAfter } from '../records/entries-after.ts';
import type { WebhookPlace } from './change-webhook.ts';
import { claimDelivery, type Delivery, leaseOf } from './claim-delivery.ts';
import { bodyOf } from './notification.ts';
import { postNotification } from './post-notification.ts';
import { park, putOff, recordFailed, recordTaken } from './record-attempt.ts';

/**
 * Tells a webhook everything that the journal has behind its cursor, in order, each event until it
 * was taken: at least once. The row holds the claim, the cursor and the time of the next attempt.
 * So of two processes one delivers, one that is killed repeats the event that it was at, and
 * between two attempts nothing is held. Throws for faults of our own services alone.
 */
export async function deliverWebhook(app: App, place: WebhookPlace): Promise<void> {
  const claimed = await claimDelivery(app, place);
  if (claimed === undefined) return;
  const { delivery } = claimed;
  try {
    for (let held: Delivering | undefined = claimed.held; held !== undefined; ) {
      held = await tellEntry(app, delivery, held);
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    await park(app, delivery);
  }
}

/** Tells the next entry of the journal. Undefined: the row says what comes next, and when. */
async function tellEntry(
  app: App,
  delivery: Delivery,
  held: Delivering,
): Promise<Delivering | undefined> {
  const { target, taskId } = delivery;
  // Read each time: what was scrubbed meanwhile is not told any more (G7).
  const view = await app.store.get(viewDoc(taskId));
  if (view === undefined) return undefined;
  const [next] = await app.store.page({ ...entriesAfter(taskId, held.cursor), limit: 1 });
  if (next === undefined) throw new Unreadable(`the journal of ${taskId}`);
  const runKey = await viewKeyOf(app, view);
  const events = await openEntry(app, runKey, next.value);
  const { cursor, id: webhookId, version } = held;
  const taken = (upTo: number) =>
    recordTaken(app, delivery, { cursor: upTo, until: app.clock.now() + leaseOf(app) });
  for (const stored of events.filter(({ seq }) => seq > cursor)) {
    const { seq } = stored;
    const body = await bodyOf(app, runKey, view, {
      ...(target.extensions && { extensions: target.extensions }),
      stored,
      version,
    });
    const notification = { target, taskId, webhookId, seq, version, body };
    const failed = await postNotification(app, notification);
    if (failed === 'busy') {
      await putOff(app, delivery);
      return undefined;
    }
    if (failed !== undefined) {
      await recordFailed(app, delivery, failed);
      return undefined;
    }
    const still = await taken(seq);
    if (still === undefined || seq === next.value.toSeq) return still;
  }
  // Of scrubbed content only the changes of state were left to tell.
  return taken(next.value.toSeq);
}
