import type { CallerHeaders, Identity, NoEntry, SecurityScheme } from '../ports/access.ts';
import { callersToken, type Signature } from './callers-token.ts';
import { type Check, invalidToken } from './check.ts';
import { unverified, type Verified } from './verify-token.ts';

/** One issuer of bearer tokens, and what its tokens say of a caller. */
export interface BearerIssuer {
  /** In agent cards. */
  readonly name: string;
  readonly scheme: SecurityScheme;
  /** What its tokens have as `iss`. */
  readonly issuers: readonly string[];
  /** Which header is looked at, where a platform has one of its own. */
  readonly signature: Signature;
  verify(token: string): Promise<Verified>;
  identityOf(claims: Extract<Verified, { readonly kind: 'genuine' }>['claims']): Identity | NoEntry;
}

/**
 * By a bearer token of one of several issuers. Which one is asked is what the token says of itself;
 * all that follows is checked.
 */
export function bearerCheck(issuers: readonly BearerIssuer[]): Check {
  return {
    schemes: Object.fromEntries(issuers.map(({ name, scheme }) => [name, scheme])),
    challenge: 'Bearer realm="a2a"',
    async identify(headers) {
      if (!showsToken(headers, issuers)) return undefined;
      for (const issuer of issuers) {
        const token = callersToken(headers, issuer.signature);
        if (token === undefined) continue;
        const { iss } = unverified(token);
        if (typeof iss !== 'string' || !issuer.issuers.includes(iss)) continue;
        const verified = await issuer.verify(token);
        return verified.kind === 'genuine'
          ? issuer.identityOf(verified.claims)
          : invalidToken(verified.why);
      }
      return invalidToken('it is not one bearer token of an issuer that is known here');
    },
  };
}

function showsToken(headers: CallerHeaders, issuers: readonly BearerIssuer[]): boolean {
  const platform = issuers.some(({ signature }) => signature === 'platform');
  const shown = [
    ...(headers['authorization'] ?? []),
    ...(platform ? (headers['x-serverless-authorization'] ?? []) : []),
  ];
  return shown.length > 0;
}
