import type { IncomingHttpHeaders } from 'node:http';

/**
 * Says which operator sends a request, by the name that grants are given to; undefined when nobody can tell. Asked once for each
 * request, before its body is read.
 */
export type Identify = (headers: IncomingHttpHeaders) => Promise<string | undefined>;

/** The token of an Authorization header. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
}
