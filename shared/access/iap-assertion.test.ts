import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createOpenIapAssertion } from './iap-assertion.ts';

const audience = '/projects/1/global/backendServices/2';
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const now = Math.floor(Date.now() / 1_000);

function assertion(over: object = {}, key: KeyObject = keys.privateKey, alg = 'ES256'): string {
  const claims = {
    iss: 'https://cloud.google.com/iap',
    aud: audience,
    iat: now,
    exp: now + 600,
    sub: 'accounts.google.com:1',
    email: 'ada@example.com',
    ...over,
  };
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${text({ alg, typ: 'JWT', kid: 'k1' })}.${text(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const clock = { now: () => Date.now() };
const jwks = { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }] };
const open = createOpenIapAssertion({
  audience,
  clock,
  fetchJson: () => Promise.resolve(jwks),
});

describe("the proxy's signed header", () => {
  test('says who is signed in', async () => {
    expect(await open(assertion())).toMatchObject({
      kind: 'genuine',
      claims: { email: 'ada@example.com' },
    });
  });

  test.each([
    ['for another service', assertion({ aud: '/projects/1/global/backendServices/3' })],
    ['of another issuer', assertion({ iss: 'https://accounts.google.com' })],
    ['that has expired', assertion({ iat: now - 7_200, exp: now - 3_600 })],
    [
      'of another key',
      assertion({}, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    ],
    ['without a signature', `${assertion().split('.').slice(0, 2).join('.')}.`],
    ['that is none', 'ada@example.com'],
  ])('%s names no caller', async (_, text) => {
    expect(await open(text)).toMatchObject({ kind: 'refused' });
  });

  test('can not be checked without keys, which may pass', async () => {
    const down = createOpenIapAssertion({
      audience,
      clock,
      fetchJson: () => Promise.reject(new Error('down')),
    });
    await expect(down(assertion())).rejects.toMatchObject({ name: 'Unavailable' });
  });
});
