import { isHeldBy, taken } from '../../domain/delivery.ts';
import type { ClaimToken } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { type TargetDoc, targetDoc } from '../records/notice-documents.ts';
import { type Held, isHeld, leaseOf } from './change-target.ts';

/**
 * Takes the telling of one target over; its row is made by the first look. Undefined: another
 * process is at it, its next attempt is not due, or it is parked.
 */
export async function claimTarget(
  app: App,
  name: string,
  token: ClaimToken,
): Promise<Held | undefined> {
  const at = targetDoc(name);
  const target = await app.store.transact(async (tx) => {
    const now = app.clock.now();
    const present = (await tx.get(at)) ?? newTarget(name);
    if (isHeldBy(present.delivery, token)) return present;
    const delivery = taken(present.delivery, { token, until: now + leaseOf(app) }, now);
    if (delivery === undefined) return undefined;
    const claimed = { ...present, delivery };
    tx.set(at, claimed);
    return claimed;
  });
  return target !== undefined && isHeld(target, token) ? target : undefined;
}

const newTarget = (name: string): TargetDoc => ({
  name,
  delivery: { status: 'idle' },
  seq: 0,
  cursor: 0,
  looked: {},
});
