import type { OAuth2Client } from 'google-auth-library';
import { Unavailable } from '../../ports/faults.ts';

const ISSUER = 'https://cloud.google.com/iap';
/**
 * Keys are used for so long; one that is not among them is looked for again, but no more often than
 * that.
 */
const KEPT = 3_600_000;
const AGAIN = 60_000;

export interface AssertionOptions {
  /** `/projects/NUMBER/global/backendServices/ID`, as Google's console shows it. */
  readonly audience: string;
  /** Stands in for Google's, in tests. */
  readonly open?: () => Promise<Client>;
  /** Stands in for the machine's clock, in tests. */
  readonly now?: () => number;
}

/**
 * Who is signed in at Identity-Aware Proxy, by its signed header (ES256, Google's keys for it): any
 * client could set the plain header beside it. Undefined for what is not genuine. Throws
 * Unavailable without keys.
 */
export function createOpenIapAssertion({
  audience,
  open = openClient,
  now = Date.now,
}: AssertionOptions): (assertion: string) => Promise<string | undefined> {
  let opening: ReturnType<typeof open> | undefined;
  let held: { readonly at: number; readonly keys: Keys } | undefined;

  /** The library asks Google for them at each call. */
  async function keysFor(client: Client, kid: string): Promise<Keys> {
    const age = held === undefined ? Number.POSITIVE_INFINITY : now() - held.at;
    if (held !== undefined && age < (Object.hasOwn(held.keys, kid) ? KEPT : AGAIN))
      return held.keys;
    const at = now();
    const { pubkeys } = await client.getIapPublicKeys().catch((error: unknown) => {
      throw new Unavailable('the keys of Identity-Aware Proxy', error);
    });
    held = { at, keys: pubkeys };
    return pubkeys;
  }

  return async (assertion) => {
    const kid = kidOf(assertion);
    if (kid === undefined) return undefined;
    opening ??= open();
    const client = await opening;
    const keys = await keysFor(client, kid);
    try {
      const ticket = await client.verifySignedJwtWithCertsAsync(assertion, keys, audience, [
        ISSUER,
      ]);
      return ticket.getPayload()?.email;
    } catch {
      // The library's messages hold the token.
      return undefined;
    }
  };
}

type Client = Pick<OAuth2Client, 'getIapPublicKeys' | 'verifySignedJwtWithCertsAsync'>;
type Keys = Parameters<Client['verifySignedJwtWithCertsAsync']>[1];

/** Which key it says that it is signed with; undefined for what is no assertion. */
function kidOf(assertion: string): string | undefined {
  try {
    const head = Buffer.from(assertion.split('.')[0] ?? '', 'base64url').toString();
    const { kid } = JSON.parse(head) as { readonly kid?: unknown };
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

async function openClient(): Promise<OAuth2Client> {
  const { OAuth2Client } = await import('google-auth-library');
  return new OAuth2Client();
}
