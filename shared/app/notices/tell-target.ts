import type { Millis } from '../../domain/brand.ts';
import { afterFailure, type Delivery } from '../../domain/delivery.ts';
import { isQuiet, type NoticeTarget } from '../../domain/notice.ts';
import type { ClaimToken } from '../../domain/run.ts';
import type { App } from '../app.ts';
import type { Notices } from '../notices.ts';
import {
  noticeDoc,
  noticesAfter,
  noticesExpired,
  type TargetDoc,
} from '../records/notice-documents.ts';
import { type FailedAttempt, pauseOf } from '../webhooks/post-attempt.ts';
import { changeHeld, type Held, isHeld } from './change-target.ts';
import { claimTarget } from './claim-target.ts';
import { findMatters } from './find-matters.ts';
import { sendNotices, stillTrue } from './send-notices.ts';

/** So long one process tells one target; the next sweep goes on. */
const TURN: Millis = 60_000;
/** One message holds so many matters. */
const AT_ONCE = 20;

/**
 * Tells one target of the operators everything that is to be told by now, in the order in which it
 * was found, each at least once (docs/notices.md). Its row holds the claim, how far was looked, how
 * far was told and the time of the next attempt: so of two processes one tells, and one that is
 * killed repeats the message that it was at. Throws for faults of our own services alone.
 */
export async function tellTarget(app: App, name: string): Promise<void> {
  const { notices } = app;
  const target = notices?.targets.find((each) => each.name === name);
  if (notices === undefined || target === undefined) return;
  const token = app.ids.token() as ClaimToken;
  const claimed = await claimTarget(app, name, token);
  if (claimed === undefined) return;
  const over = app.clock.now() + TURN;
  const found = await findMatters(app, target, claimed);
  if (found === undefined || !isHeld(found, token)) return;
  let held: Held | undefined = found;
  while (held !== undefined && app.clock.now() < over) {
    held = await tellNext(app, notices, target, held);
  }
  if (held !== undefined) await release(app, held);
}

/** Tells one message. Undefined: the claim is given up, or lost. */
async function tellNext(
  app: App,
  notices: Notices,
  target: NoticeTarget,
  held: Held,
): Promise<Held | undefined> {
  const { token } = held.delivery.claim;
  const page = await app.store.page(noticesAfter(target.name, held.cursor, AT_ONCE));
  const [first, last] = [page[0], page.at(-1)];
  const now = app.clock.now();
  const isLater =
    first === undefined ||
    (target.quiet !== undefined && isQuiet(target.quiet, now)) ||
    now < first.value.foundAt + target.digest;
  if (isLater || last === undefined) {
    if (first === undefined) await forget(app, held);
    await release(app, held);
    return undefined;
  }
  const told = await stillTrue(app, target, page, now);
  const failed = told.length === 0 ? undefined : await sendNotices(app, notices, target, told, now);
  if (failed !== undefined) {
    await recordFailed(app, held, failed);
    return undefined;
  }
  const next = await changeHeld(app, target.name, token, (current) => ({
    ...current,
    cursor: Math.max(current.cursor, last.value.seq),
    delivery: { ...current.delivery, failures: 0 },
    ...(told.length > 0 && { toldAt: app.clock.now() }),
  }));
  return next !== undefined && isHeld(next, token) ? next : undefined;
}

async function recordFailed(
  app: App,
  { delivery: { claim }, name }: Held,
  attempt: FailedAttempt,
): Promise<void> {
  const pause = pauseOf(app, attempt);
  const { reason } = attempt;
  const next = await changeHeld(app, name, claim.token, (current) => ({
    ...current,
    delivery: afterFailure(current.delivery, {
      now: app.clock.now(),
      reason,
      pause,
      attempts: app.settings.pushAttempts,
    }),
  }));
  const delivery: Delivery | undefined = next?.delivery;
  if (delivery?.status !== 'waiting' && delivery?.status !== 'parked') return;
  const line = { target: name, failures: delivery.failures, reason };
  if (delivery.status === 'parked') app.log.write('error', 'notice target parked', line);
  else app.log.write('info', 'notice not taken', line);
}

/** The claim is given up: the next sweep looks again. */
function release(app: App, { delivery: { claim }, name }: Held): Promise<TargetDoc | undefined> {
  return changeHeld(app, name, claim.token, (current) => ({
    ...current,
    delivery: { status: 'idle' },
  }));
}

/** Rows of what was told, and has not been found for a day. */
async function forget(app: App, { cursor, delivery, name }: Held): Promise<void> {
  const expired = await app.store.page(noticesExpired(name, app.clock.now(), AT_ONCE));
  const told = expired.filter(({ value }) => value.seq <= cursor);
  if (told.length === 0) return;
  await changeHeld(app, name, delivery.claim.token, (current, tx) => {
    for (const { id } of told) tx.delete(noticeDoc(name, id));
    return current;
  });
}
