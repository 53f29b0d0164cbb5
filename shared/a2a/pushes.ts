import type { IncomingMessage } from 'node:http';
import type { Log } from '../ports/log.ts';
import type { Exchange } from './exchange.ts';
import { headerOf } from './http-request.ts';

/** A remote agent says that one of our tasks there changed; the token says which. */
export type OnPush = (token: string) => Promise<void>;

/** The body is ignored; the server does not wait for more than this of it. */
const BODY = 64 * 1024;
const TOKEN = /^[\w-]{16,128}$/;

/**
 * Takes a push of a remote agent (A2A 4.3.3). Any client can call this, so nothing is believed and
 * nothing is revealed: the answer is always the same, and the only effect of a valid token is that
 * its task is polled sooner.
 */
export async function takePush(
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  onPush: OnPush,
  log: Log,
): Promise<void> {
  const whole = await discard(req);
  const token = headerOf(req, 'x-a2a-notification-token') ?? '';
  try {
    if (TOKEN.test(token)) await onPush(token);
  } catch (error) {
    // Only sooner would have been better; the next poll comes anyway.
    const fault = error instanceof Error ? error.name : typeof error;
    log.write('warning', 'a2a.push', { fault });
  }
  if (!whole) res.setHeader('Connection', 'close');
  res.statusCode = 204;
  res.end();
}

/** False: there is more of it, or it ended early. */
function discard(req: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    req.on('data', (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes <= BODY) return;
      req.pause();
      resolve(false);
    });
    req.once('end', () => resolve(true));
    req.once('close', () => resolve(false));
  });
}
