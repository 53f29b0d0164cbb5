import { backoff } from '../../domain/backoff.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Remote } from '../../domain/remote.ts';
import type { App } from '../app.ts';

/**
 * Polls are spread over a tenth of their span to either side, so that runs that began together do
 * not stay together.
 */
const JITTER = 0.2;
/** Each poll that finds the task still at work waits this much longer for the next. */
const GROWTH = 1.5;

/**
 * The bounds of the span between two polls: the remote's own, where it has any, and never below the
 * installation's.
 */
export function boundsOf(
  { pollMax, pollMin }: Pick<Settings, 'pollMax' | 'pollMin'>,
  remote: Pick<Remote, 'pollInterval' | 'pollMax' | 'pollMin'>,
): { readonly interval: Millis; readonly least: Millis; readonly most: Millis } {
  const least = Math.max(pollMin, remote.pollMin ?? 0);
  const interval = Math.max(remote.pollInterval, least);
  return { least, interval, most: Math.max(remote.pollMax ?? pollMax, interval) };
}

/** When a remote task is polled for the first time. */
export function firstPoll(app: App, remote: Remote, now: Millis): Millis {
  return now + jittered(app, boundsOf(app.settings, remote).interval);
}

/**
 * When it is polled next, after so many polls: at the remote's own interval first, then backing
 * off. After a failed poll the remote's Retry-After counts, if it is longer.
 */
export function nextPoll(
  app: App,
  remote: Remote,
  polls: number,
  now: Millis,
  retryAfter: Millis = 0,
): Millis {
  const { interval, most } = boundsOf(app.settings, remote);
  const span = backoff({ first: interval, most, growth: GROWTH }, polls + 1);
  return now + Math.max(jittered(app, span), retryAfter);
}

/** A remote that is left alone is polled when its rest is over, each run at a time of its own. */
export function afterRest(app: App, remote: Remote, until: Millis): Millis {
  return until + Math.round(app.ids.random() * boundsOf(app.settings, remote).interval);
}

function jittered(app: App, span: Millis): Millis {
  return Math.round(span * (1 - JITTER / 2 + app.ids.random() * JITTER));
}
