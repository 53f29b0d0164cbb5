import { describe, expect, test } from 'vitest';
import { defineRemote } from '../agent/define-remote.ts';
import type { RemoteCredential } from '../domain/remote.ts';
import { authorization, credentialOf, isDeclaredWell, type Secrets } from './credential.ts';

const card = 'https://remote.example/agents/a/card.json';
const secrets = (name: string) => (name === 'PARTNER' ? ' s3cret\n' : undefined);
const google: Secrets = Object.assign(secrets, {
  identityToken: (audience: string) => Promise.resolve(`token for ${audience}`),
});

async function sent(credential: RemoteCredential, to = card, from: Secrets = google) {
  return authorization(await credentialOf({ card, credential }, from), new URL(to));
}

describe('the credential of a remote goes', () => {
  test('into Authorization by its scheme, or into a header of its own', async () => {
    expect(await sent({ scheme: 'Bearer', secret: 'PARTNER' })).toEqual({
      authorization: 'Bearer s3cret',
    });
    expect(await sent({ header: 'X-API-Key', secret: 'PARTNER' })).toEqual({
      'x-api-key': 's3cret',
    });
  });

  test('as an identity token for the origin of its card, or for the audience that is said', async () => {
    expect(await sent({ google: true })).toEqual({
      authorization: 'Bearer token for https://remote.example',
    });
    expect(await sent({ google: true, audience: 'https://run.example' })).toEqual({
      authorization: 'Bearer token for https://run.example',
    });
  });

  test('to the one declared origin, whatever a card or a redirect says', async () => {
    for (const credential of [
      { scheme: 'Bearer', secret: 'PARTNER' },
      { header: 'X-API-Key', secret: 'PARTNER' },
      { google: true },
    ] as const) {
      expect(await sent(credential, 'https://evil.example/')).toEqual({});
      expect(await sent(credential, 'http://remote.example/')).toEqual({});
    }
    const other = { header: 'X-API-Key', secret: 'PARTNER', origin: 'https://api.example' };
    expect(await sent(other, 'https://api.example/a2a')).toEqual({ 'x-api-key': 's3cret' });
    expect(await sent(other)).toEqual({});
  });

  test('nowhere while it is missing', async () => {
    const missing = { header: 'X-API-Key', secret: 'OTHER' };
    expect(await credentialOf({ card, credential: missing }, google)).toEqual({ kind: 'missing' });
    expect(await isDeclaredWell({ card, credential: missing }, google)).toBe(false);
    const none: Secrets = () => undefined;
    expect(await credentialOf({ card, credential: { google: true } }, none)).toEqual({
      kind: 'missing',
    });
    expect(await isDeclaredWell({ card, credential: { google: true } }, none)).toBe(false);
    expect(await isDeclaredWell({ card, credential: { google: true } }, google)).toBe(true);
  });
});

test.each([
  [{}, /one of scheme, header and google/],
  [{ scheme: 'Bearer', header: 'X', secret: 'S' }, /one of scheme, header and google/],
  [{ header: 'X-API-Key' }, /name of a secret/],
  [{ header: 'X API', secret: 'S' }, /credential.header/],
  [{ header: 'Host', secret: 'S' }, /credential.header/],
  [{ header: 'Content-Length', secret: 'S' }, /credential.header/],
  [{ header: 'A2A-Version', secret: 'S' }, /credential.header/],
  [{ google: 'yes' }, /google must be true/],
  [{ google: true, secret: 'S' }, /takes no secret/],
  [{ scheme: 'Bearer', secret: 'S', audience: 'a' }, /audience goes with google/],
  [{ google: true, origin: 'ftp://a' }, /credential.origin/],
])('a declaration with %j is refused', (credential, words) => {
  const wrong = credential as unknown as RemoteCredential;
  expect(() => defineRemote({ name: 'a', description: 'A.', card, credential: wrong })).toThrow(
    words,
  );
});
