import { backoff } from '../../domain/backoff.ts';
import type { Millis } from '../../domain/brand.ts';
import type { OutgoingRequest } from '../../ports/outgoing-http.ts';
import type { App } from '../app.ts';

/** Why it was not taken; it may have arrived all the same. */
export interface FailedAttempt {
  /** `timeout`, `http 502`, `private address` ... */
  readonly reason: string;
  readonly retryAfter?: Millis;
}

/** Each pause is so many times the one before, give or take a tenth. */
const GROWTH = 3;
const JITTER = 0.2;

/**
 * One attempt, by the guarded way out (docs/outgoing.md). Undefined: it was taken. Of the answer
 * nothing but status and Retry-After is looked at.
 */
export async function postAttempt(
  app: App,
  request: Pick<OutgoingRequest, 'url' | 'headers' | 'body'>,
  signal?: AbortSignal,
): Promise<FailedAttempt | undefined> {
  const timeout = app.settings.pushTimeout;
  const whole = { ...request, method: 'POST', timeout, answerBytes: 0 } as const;
  const outcome = await app.outgoing.send(whole, signal);
  switch (outcome.kind) {
    case 'answer': {
      const { retryAfter, status } = outcome;
      if (status >= 200 && status <= 299) return undefined;
      return { reason: `http ${status}`, ...(retryAfter !== undefined && { retryAfter }) };
    }
    case 'refused':
      return { reason: outcome.objection };
    case 'not_sent':
    case 'lost':
      return { reason: outcome.reason };
  }
}

/** The receiver's own Retry-After counts where it is longer, up to the longest pause. */
export function pauseOf(
  { ids, settings }: App,
  { retryAfter = 0 }: FailedAttempt,
): (failures: number) => Millis {
  const { pushBackoff, pushBackoffMax } = settings;
  const chance = 1 - JITTER / 2 + ids.random() * JITTER;
  const pauses = { first: pushBackoff, most: pushBackoffMax, growth: GROWTH };
  const asked = Math.min(retryAfter, pushBackoffMax);
  return (failures) => Math.max(Math.round(backoff(pauses, failures) * chance), asked);
}
