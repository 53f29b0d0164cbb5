import type { Notification } from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { type FailedAttempt, postAttempt } from './post-attempt.ts';
import { signatureOf } from './sign-notification.ts';

/**
 * One attempt. Undefined: the webhook took it. `busy`: its host has as many on their way as it may,
 * and does not answer; nothing was sent. An attempt that is `slow` was given up, because too many
 * others are. Its URL is a stranger's, so this goes by the guarded way
 * out, and of the answer nothing but status and Retry-After is looked at. Throws a fault where our
 * own key can't be reached.
 */
export async function postNotification(
  app: App,
  notification: Notification,
): Promise<FailedAttempt | 'busy' | undefined> {
  const { url } = notification.target;
  const body = JSON.stringify(notification.body);
  const signature = await signatureOf(app, notification, body);
  const place = await app.hostPlaces.take(hostOf(url));
  if (place === undefined) return 'busy';
  try {
    const signed = signature !== undefined && { 'holdfast-signature': signature };
    const headers = { ...headersOf(notification), ...signed };
    const failed = await postAttempt(app, { url, headers, body }, place.givenUp);
    return failed !== undefined && place.givenUp.aborted ? { reason: 'slow' } : failed;
  } finally {
    place.leave();
  }
}

/** What is no URL is refused on the way out, wherever it counts. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** docs/push.md explains each to who receives it. */
function headersOf(notification: Notification): Readonly<Record<string, string>> {
  const { seq, target, taskId, version, webhookId } = notification;
  const { authentication, token } = target;
  return {
    'content-type': version === '1.0' ? 'application/a2a+json' : 'application/json',
    'user-agent': 'holdfast',
    'a2a-version': version,
    'holdfast-event-id': `${taskId}/${seq}`,
    'idempotency-key': `"${taskId}/${webhookId}/${seq}"`,
    ...(authentication?.credentials !== undefined && {
      authorization: `${authentication.scheme} ${authentication.credentials}`,
    }),
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
  };
}
