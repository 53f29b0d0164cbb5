import type { Identity, NoEntry } from '../ports/access.ts';
import type { BearerIssuer } from './bearer-check.ts';
import { type Check, insufficientScope, invalidToken } from './check.ts';
import {
  createOpenGoogleToken,
  emailOf,
  GOOGLE_ISSUERS,
  type GoogleTokenOptions,
} from './google-token.ts';
import { IAP_HEADER } from './iap-assertion.ts';
import type { Verified } from './verify-token.ts';

/** By an identity token of Google's: the owner is its verified address. */
export function googleIssuer(options: GoogleTokenOptions): BearerIssuer {
  const [audience = ''] = options.audiences;
  return {
    name: 'google',
    scheme: {
      kind: 'openId',
      url: 'https://accounts.google.com/.well-known/openid-configuration',
      description: `A Google-signed identity token for the audience ${audience}, with the address of the account.`,
    },
    issuers: options.issuers ?? GOOGLE_ISSUERS,
    signature: options.signature,
    verify: createOpenGoogleToken(options),
    identityOf(claims): Identity | NoEntry {
      const email = emailOf(claims);
      return email === undefined
        ? insufficientScope('The token holds no verified address; ask for it with format=full.')
        : { owner: email, tenant: '', authenticated: true, claims };
    },
  };
}

/** By the header that Identity-Aware Proxy signs: the owner is the address that is signed in. */
export function iapCheck(open: (assertion: string) => Promise<Verified>): Check {
  const realm = 'Bearer realm="a2a"';
  return {
    schemes: {
      iap: {
        kind: 'bearer',
        format: 'JWT',
        description: 'An identity token for the client of Identity-Aware Proxy, which checks it.',
      },
    },
    challenge: realm,
    async identify(headers) {
      const [assertion, ...more] = headers[IAP_HEADER] ?? [];
      if (assertion === undefined) return undefined;
      if (more.length > 0) return invalidToken('it came twice');
      const opened = await open(assertion);
      if (opened.kind !== 'genuine') return invalidToken(opened.why);
      const { email } = opened.claims;
      return typeof email === 'string'
        ? { owner: email, tenant: '', authenticated: true, claims: opened.claims }
        : insufficientScope('The proxy names no address.');
    },
  };
}
