import type { Clock } from '../ports/clock.ts';
import type { FetchJson } from '../ports/fetch-json.ts';
import { KeySet } from './key-set.ts';
import { createVerifyToken, type Verified } from './verify-token.ts';

const ISSUER = 'https://cloud.google.com/iap';
const KEYS = 'https://www.gstatic.com/iap/verify/public_key-jwk';

/** Of the proxy's signed header: any client could set the plain one beside it. */
export const IAP_HEADER = 'x-goog-iap-jwt-assertion';

export interface AssertionOptions {
  /** `/projects/NUMBER/global/backendServices/ID`, as Google's console shows it. */
  readonly audience: string;
  readonly fetchJson: FetchJson;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Who is signed in at Identity-Aware Proxy, by its signed header (ES256, Google's keys for it,
 * https://cloud.google.com/iap/docs/signed-headers-howto). Throws Unavailable without keys.
 */
export function createOpenIapAssertion(
  options: AssertionOptions,
): (assertion: string) => Promise<Verified> {
  const { audience, clock, fetchJson } = options;
  return createVerifyToken({
    issuers: [ISSUER],
    audiences: [audience],
    algorithms: ['ES256'],
    keys: new KeySet({ url: () => Promise.resolve(KEYS), fetchJson, clock }),
    clock,
  });
}
