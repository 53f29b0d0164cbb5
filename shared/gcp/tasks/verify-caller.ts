import type { LoginTicket, OAuth2Client } from 'google-auth-library';
import { Unavailable } from '../../ports/faults.ts';

/** `unknown`: no genuine token (401). `refused`: genuine, and not one of ours (403). */
export type Caller = 'known' | 'unknown' | 'refused';
export type VerifyCaller = (authorization: string | undefined) => Promise<Caller>;

export interface CallerOptions {
  readonly audience: string;
  readonly serviceAccounts: readonly string[];
  /**
   * Who looks at the signature. Behind IAM, Cloud Run does, and hands the token on without it
   * (https://cloud.google.com/run/docs/troubleshooting#signature-removed): only a deployment that is sure of that says
   * `platform`, or anybody could write such a token.
   */
  readonly signature: 'ours' | 'platform';
  /** Google's, unless given: for an emulator. */
  readonly issuers?: readonly string[];
  /** Keys in PEM by their ids, as https://www.googleapis.com/oauth2/v1/certs. */
  readonly keysUrl?: string;
}

const GOOGLE = ['https://accounts.google.com', 'accounts.google.com'];
const REMOVED = 'SIGNATURE_REMOVED_BY_GOOGLE';
const SKEW = 300;

/** Checks the token of a delivery: signature, issuer, audience, time, and whose it is. Throws Unavailable without keys. */
export function createVerifyCaller(options: CallerOptions): VerifyCaller {
  const issuers = [...(options.issuers ?? GOOGLE)];
  let opening: Promise<OAuth2Client> | undefined;

  async function genuine(token: string): Promise<LoginTicket | undefined> {
    opening ??= openClient(options);
    const client = await opening;
    const keys = await keysOf(client);
    try {
      const { audience } = options;
      return await client.verifySignedJwtWithCertsAsync(token, keys, audience, issuers);
    } catch {
      // The library's messages hold the token.
      return undefined;
    }
  }

  async function claimsOf(token: string): Promise<Claims | undefined> {
    if (options.signature === 'platform' && token.endsWith(`.${REMOVED}`)) {
      const claims = parse(token);
      const now = Date.now() / 1_000;
      const current = claims !== undefined && Number(claims.exp) + SKEW > now;
      const ours = claims?.aud === options.audience && issuers.includes(String(claims?.iss));
      return current && ours ? claims : undefined;
    }
    return (await genuine(token))?.getPayload();
  }

  return async (authorization) => {
    const token = /^Bearer +([A-Za-z0-9._-]+)$/i.exec(authorization ?? '')?.[1];
    const claims = token === undefined ? undefined : await claimsOf(token);
    if (claims === undefined) return 'unknown';
    const email = claims.email_verified === true ? claims.email : undefined;
    return options.serviceAccounts.some((each) => each === email) ? 'known' : 'refused';
  };
}

type Keys = Parameters<OAuth2Client['verifySignedJwtWithCertsAsync']>[1];

interface Claims {
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

function parse(token: string): Claims | undefined {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const claims: unknown = JSON.parse(payload);
    return typeof claims === 'object' && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}

async function openClient({ keysUrl }: CallerOptions): Promise<OAuth2Client> {
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
