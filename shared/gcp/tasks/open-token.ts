import type { LoginTicket, OAuth2Client } from 'google-auth-library';
import { Unavailable } from '../../ports/faults.ts';
import type { Signature } from './callers-token.ts';

export interface TokenOptions {
  /** A token is for one of these. */
  readonly audiences: readonly string[];
  /**
   * `platform` takes a token whose signature was removed by its claims: any client could write one
   * where no platform checks.
   */
  readonly signature: Signature;
  /** Google's, unless given: for an emulator. */
  readonly issuers?: readonly string[];
  /** Keys in PEM by their ids, as https://www.googleapis.com/oauth2/v1/certs. */
  readonly keysUrl?: string;
}

/** What a genuine token says; undefined for every other. Throws Unavailable without keys. */
export type OpenToken = (token: string) => Promise<Claims | undefined>;

export interface Claims {
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

const GOOGLE = ['https://accounts.google.com', 'accounts.google.com'];
const REMOVED = 'SIGNATURE_REMOVED_BY_GOOGLE';
const SKEW = 300;

/** Checks an OpenID Connect token of Google's: signature, issuer, audience and time. */
export function createOpenToken(options: TokenOptions): OpenToken {
  const issuers = [...(options.issuers ?? GOOGLE)];
  const audiences = [...options.audiences];
  let opening: Promise<OAuth2Client> | undefined;

  async function genuine(token: string): Promise<LoginTicket | undefined> {
    opening ??= openClient(options);
    const client = await opening;
    const keys = await keysOf(client);
    try {
      return await client.verifySignedJwtWithCertsAsync(token, keys, audiences, issuers);
    } catch {
      // The library's messages hold the token.
      return undefined;
    }
  }

  return async (token) => {
    if (options.signature === 'platform' && token.endsWith(`.${REMOVED}`)) {
      const claims = parse(token);
      const now = Date.now() / 1_000;
      const current = claims !== undefined && Number(claims.exp) + SKEW > now;
      const ours = audiences.includes(String(claims?.aud)) && issuers.includes(String(claims?.iss));
      return current && ours ? claims : undefined;
    }
    return (await genuine(token))?.getPayload();
  };
}

/** The address that a token vouches for. */
export function emailOf(claims: Claims): string | undefined {
  return claims.email_verified === true && typeof claims.email === 'string'
    ? claims.email
    : undefined;
}

type Keys = Parameters<OAuth2Client['verifySignedJwtWithCertsAsync']>[1];

function parse(token: string): Claims | undefined {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const claims: unknown = JSON.parse(payload);
    return typeof claims === 'object' && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}

async function openClient({ keysUrl }: TokenOptions): Promise<OAuth2Client> {
  const library = await import('google-auth-library');
  if (keysUrl === undefined) return new library.OAuth2Client();
  return new library.OAuth2Client({ endpoints: { oauth2FederatedSignonPemCertsUrl: keysUrl } });
}

/** Kept by the client for as long as their answer's cache-control says. */
async function keysOf(client: OAuth2Client): Promise<Keys> {
  try {
    return (await client.getFederatedSignonCertsAsync()).certs;
  } catch (error) {
    throw new Unavailable("the keys of callers' tokens", error);
  }
}
