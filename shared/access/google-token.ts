import type { JsonObject } from '../domain/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { FetchJson } from '../ports/fetch-json.ts';
import type { Signature } from './callers-token.ts';
import { KeySet } from './key-set.ts';
import { createVerifyToken, SKEW, unverified, type Verified } from './verify-token.ts';

export interface GoogleTokenOptions {
  /** A token is for one of these. */
  readonly audiences: readonly string[];
  /**
   * `platform` takes a token whose signature was removed by its claims: any client could write one
   * where no platform checks.
   */
  readonly signature: Signature;
  /** Google's, unless given: for an emulator. */
  readonly issuers?: readonly string[];
  /** As https://www.googleapis.com/oauth2/v3/certs. */
  readonly keysUrl?: string;
  readonly fetchJson: FetchJson;
  readonly clock: Pick<Clock, 'now'>;
}

export const GOOGLE_ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];
const KEYS = 'https://www.googleapis.com/oauth2/v3/certs';
const REMOVED = 'SIGNATURE_REMOVED_BY_GOOGLE';

/**
 * Checks an OpenID Connect token of Google's: signature, issuer, audience and time. Throws
 * Unavailable without keys.
 */
export function createOpenGoogleToken(
  options: GoogleTokenOptions,
): (token: string) => Promise<Verified> {
  const { audiences, clock, fetchJson, issuers = GOOGLE_ISSUERS, keysUrl = KEYS } = options;
  const keys = new KeySet({ url: () => Promise.resolve(keysUrl), fetchJson, clock });
  const rules = { algorithms: ['RS256' as const], audiences, clock, issuers, keys };
  const verify = createVerifyToken(rules);
  return async (token) => {
    if (options.signature !== 'platform' || !token.endsWith(`.${REMOVED}`)) return verify(token);
    const claims = unverified(token);
    const { aud, exp, iss } = claims;
    const ours = audiences.some((each) => each === aud) && issuers.some((each) => each === iss);
    const current = Number(exp) * 1_000 + SKEW > clock.now();
    if (current && ours) return { kind: 'genuine', claims };
    return { kind: 'refused', why: current ? 'it is for another audience' : 'it has expired' };
  };
}

/** The address that a token vouches for. */
export function emailOf(claims: JsonObject): string | undefined {
  const { email, email_verified: verified } = claims;
  return verified === true && typeof email === 'string' ? email : undefined;
}
