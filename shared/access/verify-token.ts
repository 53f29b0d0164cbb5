import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import { isFault, Unavailable } from '../ports/faults.ts';
import type { Algorithm } from './issuer-settings.ts';
import type { KeySet } from './key-set.ts';

export interface TokenRules {
  readonly issuers: readonly string[];
  /** A token is for one of these. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly Algorithm[];
  readonly keys: KeySet;
  readonly clock: Pick<Clock, 'now'>;
}

export type Verified =
  | { readonly kind: 'genuine'; readonly claims: JsonObject }
  /** `why` in words for its sender, without anything of the token. */
  | { readonly kind: 'refused'; readonly why: string };

export type VerifyToken = (token: string) => Promise<Verified>;

/** The clocks of an issuer and of this machine may differ by this much. */
export const SKEW: Millis = 60_000;
/** Longer than tokens are, and shorter than what headers may hold. */
export const LONGEST_TOKEN = 8 * 1024;

const WHY: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'its algorithm is not taken here',
  ERR_JWKS_NO_MATCHING_KEY: 'its issuer has no such key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'it does not say which key it is signed with',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature is not right',
};
const WHY_CLAIM: Readonly<Record<string, string>> = {
  aud: 'it is for another audience',
  iss: 'it is of another issuer',
  nbf: 'it is not valid yet',
  sub: 'it names no subject',
};

const refused = (why: string): Verified => ({ kind: 'refused', why });

/**
 * Checks signed tokens (RFC 7519, with the advice of RFC 8725): signature, algorithm, issuer,
 * audience, times. Throws Unavailable without the issuer's keys.
 */
export function createVerifyToken(rules: TokenRules): VerifyToken {
  const { algorithms, audiences, clock, issuers, keys } = rules;
  return async (token) => {
    if (token.length > LONGEST_TOKEN) return refused('it is too long');
    const { jwtVerify } = await import('jose');
    const now = clock.now();
    try {
      const { payload } = await jwtVerify(token, keys.keyFor, {
        algorithms: [...algorithms],
        audience: [...audiences],
        issuer: [...issuers],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: SKEW / 1_000,
        currentDate: new Date(now),
      });
      if (typeof payload.sub !== 'string' || payload.sub.trim() === '')
        return refused(WHY_CLAIM['sub'] ?? '');
      if ((payload.iat ?? 0) * 1_000 > now + SKEW) return refused(WHY_CLAIM['nbf'] ?? '');
      return isJsonObject(payload) ? { kind: 'genuine', claims: payload } : refused('it is none');
    } catch (error) {
      return refused(whyOf(error));
    }
  };
}

/** Throws what is no matter of the token. */
function whyOf(error: unknown): string {
  if (isFault(error)) throw error;
  const { claim, code } = factsOf(error);
  // A key of the issuer that can't be used: another try may meet another key.
  if (code === undefined) throw new Unavailable("a key of callers' tokens", error);
  return WHY[code] ?? WHY_CLAIM[claim ?? ''] ?? 'it is no token of the kind that is taken here';
}

function factsOf(error: unknown): { readonly code?: string; readonly claim?: string } {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return {};
  const { code } = error;
  return 'claim' in error && typeof error.claim === 'string'
    ? { code, claim: error.claim }
    : { code };
}

/** What a token says, unchecked: only to find out who would have to check it. */
export function unverified(token: string): JsonObject {
  try {
    const payload = token.length > LONGEST_TOKEN ? '' : (token.split('.')[1] ?? '');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isJsonObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
