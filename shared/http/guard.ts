import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpFailure } from './refused-request.ts';

export interface GuardOptions {
  /** Host names that this server is called by, without ports; absent: any. */
  readonly hosts?: readonly string[];
  /** Origins whose pages may call besides its own, such as `https://ui.example`; `*`: all. */
  readonly origins?: readonly string[];
}

/** Names of this machine as its own programs call it. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const METHODS = 'GET, HEAD, POST, DELETE, OPTIONS';
const HEADERS =
  'A2A-Version, A2A-Extensions, X-A2A-Extensions, Authorization, X-API-Key, Content-Type, Last-Event-ID, Traceparent';
const EXPOSED = 'A2A-Extensions, X-A2A-Extensions, Retry-After, WWW-Authenticate';
const PREFLIGHT_SECONDS = '600';

/**
 * What a browser must not do for a page of another site. A server on loopback is behind no login,
 * so any page that its user opens could
 * call it: by its address, or by a name of the page's own that was made to point here (DNS
 * rebinding). Programs send no Origin.
 */
export function failureOfOrigin(
  req: { readonly headers: Pick<IncomingMessage['headers'], 'host' | 'origin'> },
  { hosts, origins = [] }: GuardOptions,
): HttpFailure<'HOST_REFUSED' | 'ORIGIN_REFUSED'> | undefined {
  const { host = '', origin } = req.headers;
  if (hosts !== undefined && !hosts.includes(nameOf(host))) {
    const message = 'This server is not called by that Host; --allow-host names others.';
    return { code: 'HOST_REFUSED', message, close: true };
  }
  if (origin === undefined || isOwn(origin, host) || allows(origins, origin)) return undefined;
  const message = 'Pages of this Origin may not call; --allow-origin names those that may.';
  return { code: 'ORIGIN_REFUSED', message, close: true };
}

/**
 * Lets a page of an allowed origin read the answer; true when that was a preflight, which is
 * answered by it.
 */
export function shareWithOrigin(
  req: IncomingMessage,
  res: ServerResponse,
  { origins = [] }: GuardOptions,
): boolean {
  if (origins.length > 0) res.setHeader('Vary', 'Origin');
  const { origin } = req.headers;
  if (origin === undefined || !allows(origins, origin)) return false;
  res.setHeader('Access-Control-Allow-Origin', origins.includes('*') ? '*' : origin);
  res.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
    return false;
  }
  res.setHeader('Access-Control-Allow-Methods', METHODS);
  res.setHeader('Access-Control-Allow-Headers', HEADERS);
  res.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  res.statusCode = 204;
  res.end();
  return true;
}

function allows(origins: readonly string[], origin: string): boolean {
  return origins.includes('*') || origins.includes(origin);
}

/** Without the port, in lower case; a name may end with the root's dot. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function isOwn(origin: string, host: string): boolean {
  return origin.toLowerCase().replace(/^https?:\/\//, '') === host.toLowerCase();
}
