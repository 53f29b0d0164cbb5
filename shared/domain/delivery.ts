import type { Millis } from './brand.ts';
import type { Claim, ClaimToken } from './run.ts';

/** Nothing is on its way: everything was told, or there was nothing when it was looked at. */
export interface Idle {
  readonly status: 'idle';
}
/** One process delivers; until its claim lapses no other does, so that the order is kept. */
export interface Delivering {
  readonly status: 'delivering';
  readonly claim: Claim;
  /** Attempts of the next delivery that failed. */
  readonly failures: number;
}
/** The next attempt has its time; nothing is held until then. */
export interface Waiting {
  readonly status: 'waiting';
  readonly nextAt: Millis;
  readonly failures: number;
  /** Why the last attempt failed, in a word: `timeout`, `http 502`. */
  readonly reason: string;
}
/** Given up, until a person has it delivered again. */
export interface Parked {
  readonly status: 'parked';
  readonly parkedAt: Millis;
  readonly failures: number;
  readonly reason: string;
}

/**
 * Where the delivery to one receiver stands, be it a webhook of a caller, or a target of
 * notices.
 */
export type Delivery = Idle | Delivering | Waiting | Parked;

/** When a sweeper must look at it; null: never by itself. */
export function deliveryDueAt(delivery: Delivery): Millis | null {
  switch (delivery.status) {
    case 'delivering':
      return delivery.claim.until;
    case 'waiting':
      return delivery.nextAt;
    case 'idle':
    case 'parked':
      return null;
  }
}

/** A process takes it over, if it is not another's, not early and not given up. */
export function taken(delivery: Delivery, claim: Claim, now: Millis): Delivering | undefined {
  const free = delivery.status === 'idle' || (deliveryDueAt(delivery) ?? Infinity) <= now;
  if (!free) return undefined;
  const failures = delivery.status === 'idle' ? 0 : delivery.failures;
  return { status: 'delivering', claim, failures };
}

export interface FailedAttempt {
  readonly now: Millis;
  readonly reason: string;
  /** How long to wait after so many failures. */
  readonly pause: (failures: number) => Millis;
  /** How many attempts one delivery gets. */
  readonly attempts: number;
}

/** An attempt failed: the next comes after `pause`, unless that was the last one. */
export function afterFailure(
  delivery: Delivering,
  { now, pause, reason, attempts }: FailedAttempt,
): Waiting | Parked {
  const failures = delivery.failures + 1;
  if (failures >= attempts) return { status: 'parked', parkedAt: now, failures, reason };
  return { status: 'waiting', nextAt: now + pause(failures), failures, reason };
}

/** A parked one begins again from where it stopped. */
export function unparked(delivery: Delivery, now: Millis): Waiting | undefined {
  if (delivery.status !== 'parked') return undefined;
  return { status: 'waiting', nextAt: now, failures: 0, reason: delivery.reason };
}

export const isHeldBy = (delivery: Delivery, token: ClaimToken): delivery is Delivering =>
  delivery.status === 'delivering' && delivery.claim.token === token;
