import type { Millis } from '../../domain/brand.ts';
import type { ClaimToken } from '../../domain/run.ts';
import {
  advance,
  type Delivering,
  failed,
  holds,
  parked,
  rest,
  wait,
} from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { changeWebhook, type WebhookPlace } from './change-webhook.ts';
import { type FailedAttempt, pauseOf } from './post-attempt.ts';
import { wakeUpFor } from './wake-up-for.ts';

interface Held extends WebhookPlace {
  readonly token: ClaimToken;
}

/**
 * Notes that a webhook was told everything up to `cursor`. The claim is given up where nothing is
 * left: what is shown after that commit finds it free. It is handed over when its turn is over.
 * Undefined: this process delivers no more.
 */
export async function recordTaken(
  app: App,
  { id, over, taskId, token }: Held & { readonly over: Millis },
  { cursor, until }: { readonly cursor: number; readonly until: Millis },
): Promise<Delivering | undefined> {
  const outcome = await changeWebhook(app, { id, taskId }, (current, now, lastSeq) => {
    const next = advance(current, token, { cursor, until });
    if (next === undefined) return undefined;
    if (lastSeq <= cursor) return rest(next);
    return now < over ? next : wait(next, { failures: 0, nextAt: now, reason: 'next turn' });
  });
  const next = outcome?.webhook;
  if (next?.status === 'waiting') {
    await wakeUpFor(app, { taskId, revision: next.cursor }, id, { at: next.nextAt });
  }
  return next !== undefined && holds(next, token) ? next : undefined;
}

/** Notes that an attempt failed: its event has another one later, or the webhook is parked. */
export async function recordFailed(
  app: App,
  { id, taskId, token }: Held,
  attempt: FailedAttempt,
): Promise<void> {
  const { reason } = attempt;
  const pause = pauseOf(app, attempt);
  const outcome = await changeWebhook(app, { id, taskId }, (current, now) =>
    failed(current, token, { now, reason, pause, attempts: app.settings.pushAttempts }),
  );
  const next = outcome?.webhook;
  if (next === undefined || (next.status !== 'waiting' && next.status !== 'parked')) return;
  const line = { task: taskId, webhook: id, after: next.cursor, failures: next.failures, reason };
  if (next.status === 'parked') app.log.write('error', 'webhook parked', line);
  else {
    app.log.write('info', 'webhook did not take it', line);
    await wakeUpFor(app, { taskId, revision: next.cursor }, id, { at: next.nextAt });
  }
}

/**
 * Nothing was sent, because too much is on its way to a host that does not answer: it has its turn
 * about when those are over, and no attempt less.
 */
export async function putOff(app: App, { id, taskId, token }: Held): Promise<void> {
  const pause = Math.round(app.settings.pushTimeout * (0.5 + app.ids.random()));
  const outcome = await changeWebhook(app, { id, taskId }, (current, now) => {
    if (!holds(current, token)) return undefined;
    const { failures } = current;
    return wait(current, { failures, nextAt: now + pause, reason: 'host is slow' });
  });
  const next = outcome?.webhook;
  if (next?.status === 'waiting')
    await wakeUpFor(app, { taskId, revision: next.cursor }, id, { at: next.nextAt });
}

/** What it would be told, or where, can't be read any more: trying again can't help. */
export async function park(app: App, { id, taskId, token }: Held): Promise<void> {
  const reason = 'unreadable';
  await changeWebhook(app, { id, taskId }, (current, now) =>
    holds(current, token)
      ? parked(current, { now, reason, failures: current.failures })
      : undefined,
  );
  app.log.write('error', 'webhook parked', { task: taskId, webhook: id, reason });
}
