import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  algorithmOf,
  encodedHeader,
  isSignedByOneOf,
  type PublicJwk,
  signingInput,
  thumbprintOf,
} from './jws.ts';

interface Pair {
  readonly jwk: PublicJwk;
  readonly privateKey: KeyObject;
}

function jwkOf(publicKey: KeyObject): PublicJwk {
  return Object.fromEntries(
    Object.entries(publicKey.export({ format: 'jwk' })).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
}

function pair({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): Pair {
  return { privateKey, jwk: jwkOf(publicKey) };
}

const ec = pair(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const ed = pair(generateKeyPairSync('ed25519'));
const rsa = pair(generateKeyPairSync('rsa', { modulusLength: 2048 }));

const content = '{"name":"echo"}';

function signed({ privateKey }: Pair, alg: string, more = {}) {
  const header = encodedHeader({ alg, kid: 'k', typ: 'JOSE', ...more });
  const digest = alg === 'EdDSA' ? null : 'sha256';
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign(digest, signingInput(header, content), key);
  return { protected: header, signature: signature.toString('base64url') };
}

describe('a signature', () => {
  test.each([
    ['ES256', ec],
    ['EdDSA', ed],
    ['RS256', rsa],
  ] as const)('by %s holds for its key among others, its content and its header', (alg, own) => {
    const signature = signed(own, alg);
    const keys = [ec, ed, rsa].map(({ jwk }) => jwk);
    expect(algorithmOf(own.jwk)).toBe(alg);
    expect(isSignedByOneOf(keys, signature, content)).toBe(true);
    const others = keys.filter((jwk) => jwk !== own.jwk);
    expect(isSignedByOneOf(others, signature, content)).toBe(false);
    expect(isSignedByOneOf([], signature, content)).toBe(false);
    expect(isSignedByOneOf(keys, signature, `${content} `)).toBe(false);
    const header = encodedHeader({ alg, kid: 'other', typ: 'JOSE' });
    expect(isSignedByOneOf(keys, { ...signature, protected: header }, content)).toBe(false);
    expect(isSignedByOneOf(keys, { ...signature, signature: '' }, content)).toBe(false);
  });

  test('is none that says there is none, or takes the public key for a secret', () => {
    const none = encodedHeader({ alg: 'none', kid: 'k' });
    expect(isSignedByOneOf([ec.jwk], { protected: none, signature: '' }, content)).toBe(false);
    const header = encodedHeader({ alg: 'HS256', kid: 'k' });
    const mac = createHmac('sha256', JSON.stringify(ec.jwk)).update(signingInput(header, content));
    const forged = { protected: header, signature: mac.digest('base64url') };
    expect(isSignedByOneOf([ec.jwk, rsa.jwk], forged, content)).toBe(false);
  });

  test('with an extension that must be understood is not taken', () => {
    const signature = signed(ec, 'ES256', { crit: ['b64'], b64: false });
    expect(isSignedByOneOf([ec.jwk], signature, content)).toBe(false);
  });

  test.each(['', '!', 'bnVsbA', 'WzFd'])('under the header %j is none', (header) => {
    expect(isSignedByOneOf([ec.jwk], { protected: header, signature: 'AA' }, content)).toBe(false);
  });
});

test.each([
  ['of another curve', jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)],
  ['that is too short', jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)],
  ['that is a secret', { kty: 'oct', k: 'c2VjcmV0' }],
  ['that is a private one', { ...ec.jwk, d: 'AQ' }],
  ['that is none', {}],
])('no key is taken %s', (_, jwk) => {
  expect(algorithmOf(jwk)).toBeUndefined();
});

test('the thumbprint of the key in RFC 7638 section 3.1 is the one that stands there', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  const jwk = { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' };
  expect(thumbprintOf(jwk)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
});
