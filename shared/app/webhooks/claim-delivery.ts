import type { Millis } from '../../domain/brand.ts';
import type { ClaimToken } from '../../domain/run.ts';
import {
  claimWebhook,
  type Delivering,
  holds,
  rest,
  type WebhookTarget,
} from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { targetOf } from '../content/webhook-target.ts';
import { runDoc } from '../records/documents.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import { changeWebhook, type WebhookPlace } from './change-webhook.ts';
import { park } from './record-attempt.ts';

/** So long one process delivers to one webhook; then the rest is handed over. */
const TURN: Millis = 60_000;

/** What a process needs to deliver, while it has the claim. */
export interface Delivery extends WebhookPlace {
  readonly token: ClaimToken;
  readonly target: WebhookTarget;
  /** When its turn is over. */
  readonly over: Millis;
}

/** A renewal behind each attempt is enough: none takes longer than its timeout. */
export const leaseOf = ({ settings }: App): Millis =>
  2 * settings.pushTimeout + settings.sweepGrace;

/**
 * Takes a webhook's delivery over. Undefined: nothing is left to tell it, another process is at it,
 * its next attempt is not due, or it is parked.
 */
export async function claimDelivery(
  app: App,
  { id, taskId }: WebhookPlace,
): Promise<{ readonly delivery: Delivery; readonly held: Delivering } | undefined> {
  const token = app.ids.token() as ClaimToken;
  const found = await changeWebhook(app, { id, taskId }, (current, now, lastSeq) => {
    if (holds(current, token)) return current;
    const claim = { token, until: now + leaseOf(app) };
    const claimed = claimWebhook(current, claim, now);
    if (claimed === undefined || lastSeq > current.cursor) return claimed;
    return current.status === 'idle' ? undefined : rest(current);
  });
  const run = await app.store.get(runDoc(taskId));
  if (found === undefined || run === undefined || !holds(found.webhook, token)) return undefined;
  const target = await undefinedIfUnreadable(() => targetOf(app, run, found));
  const over = app.clock.now() + TURN;
  if (target !== undefined)
    return { delivery: { id, taskId, token, target, over }, held: found.webhook };
  await park(app, { id, taskId, token });
  return undefined;
}
