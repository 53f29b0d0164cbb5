import { type AllowPrivate, isAllowedHost } from './address-guard.ts';

export type Destination =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'bad'; readonly reason: 'bad url' | 'not https' | 'credentials in url' };

/**
 * Where a request may go as far as its URL says: https, or plain http to a host that was allowed;
 * no credentials in it. Numbers in disguise (decimal, hex, octal) are plain addresses after this;
 * which address a name stands for is checked at connect time.
 */
export function destinationOf(text: string, allow: AllowPrivate): Destination {
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return { kind: 'bad', reason: 'bad url' };
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowedHost(url, allow))) {
    return { kind: 'bad', reason: 'not https' };
  }
  if (url.username !== '' || url.password !== '') {
    return { kind: 'bad', reason: 'credentials in url' };
  }
  return { kind: 'url', url };
}
