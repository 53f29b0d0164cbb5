import type { Millis } from '../../domain/brand.ts';
import { type Delivering, isHeldBy } from '../../domain/delivery.ts';
import type { ClaimToken } from '../../domain/run.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { type TargetDoc, targetDoc } from '../records/notice-documents.ts';

/** A target that this process tells, as long as its claim holds. */
export interface Held extends TargetDoc {
  readonly delivery: Delivering;
}

export const isHeld = (target: TargetDoc, token: ClaimToken): target is Held =>
  isHeldBy(target.delivery, token);

/** Longer than an attempt takes, so a renewal behind each is enough. */
export const leaseOf = ({ settings }: App): Millis =>
  2 * settings.pushTimeout + settings.sweepGrace;

/**
 * Changes the row of a target while its claim holds; undefined: it is lost, and nothing was
 * changed. The row is written last, with the claim renewed if it is still claimed. Throws
 * Unavailable, Contention.
 */
export function changeHeld(
  app: App,
  name: string,
  token: ClaimToken,
  next: (held: Held, tx: Transaction) => TargetDoc | Promise<TargetDoc>,
): Promise<TargetDoc | undefined> {
  const at = targetDoc(name);
  return app.store.transact(async (tx) => {
    const present = await tx.get(at);
    if (present === undefined || !isHeld(present, token)) return undefined;
    const target = await next(present, tx);
    const renewed = isHeld(target, token) ? renew(app, target) : target;
    tx.set(at, renewed);
    return renewed;
  });
}

function renew(app: App, target: Held): Held {
  const claim = { token: target.delivery.claim.token, until: app.clock.now() + leaseOf(app) };
  return { ...target, delivery: { ...target.delivery, claim } };
}
