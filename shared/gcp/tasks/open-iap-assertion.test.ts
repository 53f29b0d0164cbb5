import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { OAuth2Client } from 'google-auth-library';
import { describe, expect, test } from 'vitest';
import { createOpenIapAssertion } from './open-iap-assertion.ts';

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

/** Google's client, with our keys in place of the proxy's. */
function client(): Promise<OAuth2Client> {
  const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return Promise.resolve(
    Object.assign(new OAuth2Client(), {
      getIapPublicKeys: () => Promise.resolve({ pubkeys: { k1: pem } }),
    }),
  );
}

const open = createOpenIapAssertion({ audience, open: client });

describe("the proxy's signed header", () => {
  test('says who is signed in', async () => {
    expect(await open(assertion())).toBe('ada@example.com');
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
    expect(await open(text)).toBeUndefined();
  });

  test('is checked with keys that are asked for once an hour, and when one is new', async () => {
    let [asked, at] = [0, 0];
    const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    let pubkeys: Record<string, string> = { k1: pem };
    const counting = createOpenIapAssertion({
      audience,
      now: () => at,
      open: async () =>
        Object.assign(await client(), {
          getIapPublicKeys: () => {
            asked += 1;
            return Promise.resolve({ pubkeys });
          },
        }),
    });
    for (let many = 0; many < 10; many += 1)
      expect(await counting(assertion())).toBe('ada@example.com');
    expect(asked).toBe(1);
    // A caller that makes names of keys up does not make us ask each time.
    pubkeys = { k2: pem };
    const other = assertion().replace(/^[^.]+/, (head) =>
      Buffer.from(Buffer.from(head, 'base64url').toString().replace('k1', 'k2')).toString(
        'base64url',
      ),
    );
    for (let many = 0; many < 10; many += 1) expect(await counting(other)).toBeUndefined();
    expect(asked).toBe(1);
    at += 61_000;
    expect(await counting(other)).toBeUndefined();
    expect(asked).toBe(2);
    expect(await counting('no assertion')).toBeUndefined();
    at += 3_600_000;
    await counting(other);
    expect(asked).toBe(3);
  });

  test('can not be checked without keys, which may pass', async () => {
    const down = createOpenIapAssertion({
      audience,
      open: async () =>
        Object.assign(await client(), {
          getIapPublicKeys: () => Promise.reject(new Error('down')),
        }),
    });
    await expect(down(assertion())).rejects.toMatchObject({ name: 'Unavailable' });
  });
});
