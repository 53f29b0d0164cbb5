import type { Millis } from '../../domain/brand.ts';
import type { Remote } from '../../domain/remote.ts';
import type { App } from '../app.ts';

/** Polls are spread over a tenth of their span to either side, so that runs that began together do not stay together. */
const JITTER = 0.2;
/** Each poll that finds the task still at work waits this much longer for the next. */
const GROWTH = 1.5;

/** When a remote task is polled for the first time. */
export function firstPoll(app: App, remote: Remote, now: Millis): Millis {
  return now + jittered(app, Math.max(remote.pollInterval, app.settings.pollMin));
}

/**
 * When it is polled next, after so many polls: at the remote's own interval first, then backing off. After a failed poll the
 * remote's Retry-After counts, if it is longer.
 */
export function nextPoll(
  app: App,
  remote: Remote,
  polls: number,
  now: Millis,
  retryAfter: Millis = 0,
): Millis {
  const { pollMax, pollMin } = app.settings;
  const interval = Math.max(remote.pollInterval, pollMin);
  // A remote may ask for a longer interval than ours at most.
  const most = Math.max(pollMax, interval);
  const span = Math.min(interval * GROWTH ** Math.min(polls, 30), most);
  return now + Math.max(jittered(app, span), retryAfter);
}

function jittered(app: App, span: Millis): Millis {
  return Math.round(span * (1 - JITTER / 2 + app.ids.random() * JITTER));
}
