import { createSign, generateKeyPairSync } from 'node:crypto';

const KEY_ID = 'emulator';

/**
 * Signs OpenID Connect tokens as Google does for a service account
 * (https://cloud.google.com/docs/authentication/token-types#id), with a key of its own. Times are
 * the machine's, not the virtual clock's: the verifier of a token has no other.
 */
export class IdTokens {
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly issuer: string;

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  sign(email: string, audience: string, claims: Readonly<Record<string, unknown>> = {}): string {
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: this.issuer,
      aud: audience,
      azp: email,
      sub: email,
      email,
      email_verified: true,
      iat: now,
      exp: now + 3_600,
      ...claims,
    };
    const head = encode({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' });
    const text = `${head}.${encode(payload)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(this.#key.privateKey, 'base64url')}`;
  }

  /** As https://www.googleapis.com/oauth2/v3/certs. */
  get jwks(): object {
    const jwk = this.#key.publicKey.export({ format: 'jwk' });
    return { keys: [{ ...jwk, kid: KEY_ID, alg: 'RS256', use: 'sig' }] };
  }

  /** As https://www.googleapis.com/oauth2/v1/certs, which google-auth-library asks. */
  get pems(): object {
    return { [KEY_ID]: this.#key.publicKey.export({ format: 'pem', type: 'spki' }) };
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
