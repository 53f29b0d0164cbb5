import type { IncomingMessage } from 'node:http';

/**
 * Says which operator sends a request, by the name that grants are given to; undefined if unknown.
 * Asked once for each request, before its body is read.
 */
export type Identify = (headers: DistinctHeaders) => Promise<string | undefined>;

/** Every value of each header. */
export type DistinctHeaders = IncomingMessage['headersDistinct'];

/** The token of an Authorization header that came once. */
export function bearerOf({ authorization = [] }: DistinctHeaders): string | undefined {
  const [value = '', ...more] = authorization;
  return more.length > 0 ? undefined : /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(value)?.[1];
}
