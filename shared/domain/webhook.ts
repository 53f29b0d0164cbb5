import type { Millis } from './brand.ts';
import {
  afterFailure,
  type Delivering as DeliveringState,
  deliveryDueAt,
  type FailedAttempt,
  type Idle as IdleState,
  isHeldBy,
  type Parked as ParkedState,
  taken,
  unparked,
  type Waiting as WaitingState,
} from './delivery.ts';
import type { JsonObject } from './json.ts';
import type { Claim, ClaimToken } from './run.ts';

/** The version of A2A that a webhook was set up in, and that its notifications are of. */
export type WireVersion = '1.0' | '0.3';

/** What a caller says of a webhook; all of it is sealed, and the secrets are never read back. */
export interface WebhookTarget {
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
  /** Extensions that were in effect where it was set up: its notifications are as those ask. */
  readonly extensions?: readonly string[];
}

/** One event of a task, as one webhook is told it. */
export interface Notification {
  readonly target: WebhookTarget;
  readonly taskId: string;
  readonly webhookId: string;
  /** Its position in the journal: what a client would resume a stream behind. */
  readonly seq: number;
  readonly version: WireVersion;
  /** In the form of that version. */
  readonly body: JsonObject;
}

interface WebhookFrame {
  readonly taskId: string;
  /** The caller's own word for it, or one of ours. */
  readonly id: string;
  readonly version: WireVersion;
  /** Its range in the index of what is due: that of its run. */
  readonly shard: number;
  readonly createdAt: Millis;
  /** The journal position up to which it was told everything. */
  readonly cursor: number;
}

/** Everything that is in the journal was delivered, or nothing was there when it was looked at. */
export type Idle = WebhookFrame & IdleState;
export type Delivering = WebhookFrame & DeliveringState;
export type Waiting = WebhookFrame & WaitingState;
/** Given up: only an operator, or its caller with a new configuration, has it delivered again. */
export type Parked = WebhookFrame & ParkedState;
export type Webhook = Idle | Delivering | Waiting | Parked;

/** When a sweeper must look at it; null: never by itself. */
export const webhookDueAt = (webhook: Webhook): Millis | null => deliveryDueAt(webhook);

/** A process takes the delivery over, if it is not another's, not early and not given up. */
export function claimWebhook(webhook: Webhook, claim: Claim, now: Millis): Delivering | undefined {
  const next = taken(webhook, claim, now);
  return next && { ...frameOf(webhook), ...next };
}

/** Up to there it was told. Undefined: the claim is lost. */
export function advance(
  webhook: Webhook,
  token: ClaimToken,
  { cursor, until }: { readonly cursor: number; readonly until: Millis },
): Delivering | undefined {
  if (!holds(webhook, token)) return undefined;
  return { ...webhook, cursor, failures: 0, claim: { token, until } };
}

/** Nothing is left to say. */
export const rest = (webhook: Webhook): Idle => ({ ...frameOf(webhook), status: 'idle' });

/** Something is left to say, from that time on. */
export const wait = (
  webhook: Webhook,
  { failures, nextAt, reason }: Pick<Waiting, 'failures' | 'nextAt' | 'reason'>,
): Waiting => ({ ...frameOf(webhook), status: 'waiting', failures, nextAt, reason });

/**
 * An attempt failed: the next comes after `pause`, unless that was the last one. Undefined: the
 * claim is lost.
 */
export function failed(
  webhook: Webhook,
  token: ClaimToken,
  attempt: FailedAttempt,
): Waiting | Parked | undefined {
  if (!holds(webhook, token)) return undefined;
  return { ...frameOf(webhook), ...afterFailure(webhook, attempt) };
}

export const parked = (
  webhook: Webhook,
  {
    failures,
    now,
    reason,
  }: { readonly failures: number; readonly now: Millis; readonly reason: string },
): Parked => ({ ...frameOf(webhook), status: 'parked', parkedAt: now, failures, reason });

/** An operator has a parked one delivered again, from where it stopped. */
export function redelivered(webhook: Webhook, now: Millis): Waiting | undefined {
  const next = unparked(webhook, now);
  return next && { ...frameOf(webhook), ...next };
}

export const holds = (webhook: Webhook, token: ClaimToken): webhook is Delivering =>
  isHeldBy(webhook, token);

function frameOf({ taskId, id, version, shard, createdAt, cursor }: Webhook): WebhookFrame {
  return { taskId, id, version, shard, createdAt, cursor };
}
