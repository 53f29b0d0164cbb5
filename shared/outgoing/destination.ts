import type { UrlObjection } from '../domain/url-objection.ts';
import { type AllowPrivate, isAllowedHost, isInside } from './address-guard.ts';

export type Destination =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'bad'; readonly reason: UrlObjection };

const LENGTH = 2048;

/**
 * Where a request may go as far as its URL says: https, or plain http to a host that was allowed;
 * no credentials in it; no host that is inside by its name or address. Numbers in disguise
 * (decimal, hex, octal) are plain addresses after this, and a name has no dot behind it; which
 * address a name stands for is checked at connect time.
 */
export function destinationOf(text: string, allow: AllowPrivate): Destination {
  const url = text.length > LENGTH ? null : URL.parse(text);
  if (url === null || /^\.*$/.test(url.hostname)) return bad('bad url');
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowedHost(url, allow))) {
    return bad('not https');
  }
  if (url.username !== '' || url.password !== '') return bad('credentials in url');
  if (isInside(url, allow)) return bad('private address');
  return { kind: 'url', url };
}

function bad(reason: UrlObjection): Destination {
  return { kind: 'bad', reason };
}
