import {
  createHash,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  verify as verifyBytes,
} from 'node:crypto';
import { canonicalJson, isJsonObject, type Json } from './json.ts';

/** A public key as a JSON Web Key (RFC 7517). */
export type PublicJwk = Readonly<Record<string, string>>;

/** A signature over content that travels beside it (RFC 7515, appendix F). */
export interface DetachedSignature {
  /** The header in base64url. */
  readonly protected: string;
  /** In base64url. */
  readonly signature: string;
}

type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

/** The one algorithm for which a key is taken; undefined for a key that is none of ours. */
export function algorithmOf(jwk: PublicJwk): Algorithm | undefined {
  const key = publicKeyOf(jwk);
  if (key?.asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (key?.asymmetricKeyType === 'ec') return jwk['crv'] === 'P-256' ? 'ES256' : undefined;
  if (key?.asymmetricKeyType !== 'rsa') return undefined;
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? 'RS256' : undefined;
}

/** Which members make a key, by its type (RFC 7638 section 3.2). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

/** A name for a key that follows from the key itself (RFC 7638). */
export function thumbprintOf(jwk: PublicJwk): string {
  const members = MEMBERS[jwk['kty'] ?? ''] ?? [];
  const own = Object.fromEntries(members.map((name) => [name, jwk[name] ?? '']));
  return createHash('sha256').update(canonicalJson(own)).digest('base64url');
}

/** What is signed: header and content, each in base64url (RFC 7515 section 5.1). */
export function signingInput(protectedHeader: string, content: string): Buffer {
  return Buffer.from(`${protectedHeader}.${Buffer.from(content).toString('base64url')}`);
}

/** The header in the form that is signed. */
export function encodedHeader(header: Json): string {
  return Buffer.from(JSON.stringify(header)).toString('base64url');
}

/**
 * Did one of these keys sign the content? The key decides the algorithm, and the header must name
 * the same: so no header can turn a public key into a shared secret, or ask for none.
 */
export function isSignedByOneOf(
  keys: readonly PublicJwk[],
  { protected: header, signature }: DetachedSignature,
  content: string,
): boolean {
  const named = headerOf(header);
  // An extension that must be understood, and that we do not know (RFC 7515 section 4.1.11).
  if (named === undefined || 'crit' in named) return false;
  const input = signingInput(header, content);
  const bytes = Buffer.from(signature, 'base64url');
  return keys.some((jwk) => {
    const key = publicKeyOf(jwk);
    const algorithm = algorithmOf(jwk);
    if (key === undefined || algorithm === undefined || named['alg'] !== algorithm) return false;
    return isValid(algorithm, key, input, bytes);
  });
}

function isValid(algorithm: Algorithm, key: KeyObject, input: Buffer, signature: Buffer): boolean {
  const digest = algorithm === 'EdDSA' ? null : 'sha256';
  return verifyBytes(digest, input, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

function headerOf(encoded: string): Readonly<Record<string, Json>> | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return isJsonObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function publicKeyOf(jwk: PublicJwk): KeyObject | undefined {
  // Of a private key in its place only the public half would be taken, and the mistake be hidden.
  if ('d' in jwk || 'k' in jwk) return undefined;
  try {
    const key: JsonWebKey = { ...jwk };
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}
