import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PublicJwk } from '../domain/jws.ts';
import type { Signer } from '../ports/signer.ts';

/**
 * A private key on P-256 in a PEM file, such as
 * `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` writes.
 *
 * @throws Error that says what is wrong with the file.
 */
export function openFileSigner(file: string): Signer {
  const key = readKey(file);
  const { kty = '', crv = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  const jwk: PublicJwk = { kty, crv, x, y };
  return {
    publicKey: () => Promise.resolve(jwk),
    sign: (input) => Promise.resolve(sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' })),
  };
}

function readKey(file: string): KeyObject {
  const text = readFileSync(file, 'utf8');
  const key = privateKeyOf(text);
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new Error(
    `${file} holds no private key on P-256; openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 makes one`,
  );
}

function privateKeyOf(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
