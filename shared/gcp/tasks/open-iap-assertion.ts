import type { OAuth2Client } from 'google-auth-library';
import { Unavailable } from '../../ports/faults.ts';

const ISSUER = 'https://cloud.google.com/iap';

export interface AssertionOptions {
  /** `/projects/NUMBER/global/backendServices/ID`, as Google's console shows it. */
  readonly audience: string;
  /** Stands in for Google's, in tests. */
  readonly open?: () => Promise<
    Pick<OAuth2Client, 'getIapPublicKeys' | 'verifySignedJwtWithCertsAsync'>
  >;
}

/**
 * Who is signed in at Identity-Aware Proxy, by its signed header (ES256, Google's keys for it): the plain header beside it could be
 * anybody's. Undefined for what is not genuine. Throws Unavailable without keys.
 */
export function createOpenIapAssertion({
  audience,
  open = openClient,
}: AssertionOptions): (assertion: string) => Promise<string | undefined> {
  let opening: ReturnType<typeof open> | undefined;
  return async (assertion) => {
    opening ??= open();
    const client = await opening;
    const keys = await client.getIapPublicKeys().catch((error: unknown) => {
      throw new Unavailable('the keys of Identity-Aware Proxy', error);
    });
    try {
      const ticket = await client.verifySignedJwtWithCertsAsync(assertion, keys.pubkeys, audience, [
        ISSUER,
      ]);
      return ticket.getPayload()?.email;
    } catch {
      // The library's messages hold the token.
      return undefined;
    }
  };
}

async function openClient(): Promise<OAuth2Client> {
  const { OAuth2Client } = await import('google-auth-library');
  return new OAuth2Client();
}
