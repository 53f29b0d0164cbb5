import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { TokenIssuer } from '../../test/doubles/token-issuer.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { bearerCheck } from './bearer-check.ts';
import { issuerSchema } from './issuer-settings.ts';
import { openIdIssuer } from './open-id-issuer.ts';

const MINUTE = 60_000;

function setting(over: object = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const issuer = new TokenIssuer(clock);
  const settings = issuerSchema.parse({
    issuer: issuer.issuer,
    audience: issuer.audience,
    ...over,
  });
  const { fetchJson } = issuer;
  const check = bearerCheck([openIdIssuer('oidc', settings, { clock, fetchJson })]);
  const as = (token: string) => check.identify({ authorization: [`Bearer ${token}`] });
  return { check, clock, issuer, as };
}

const seconds = (clock: VirtualClock, from: number) => Math.floor(clock.now() / 1_000) + from;
const why = (found: unknown): string => (found as { message?: string } | undefined)?.message ?? '';

describe('a token of a configured issuer', () => {
  test('says who calls: owner, tenant and what else the issuer says', async () => {
    const { as, issuer } = setting({ tenant: 'org' });
    expect(await as(await issuer.sign({ org: 'acme', groups: ['a'] }))).toMatchObject({
      owner: 'https://issuer.example#ada',
      tenant: 'acme',
      authenticated: true,
      claims: { sub: 'ada', groups: ['a'] },
    });
  });

  test('names its owner by a verified address where the configuration says so', async () => {
    const { as, issuer } = setting({ owner: 'email' });
    const email = 'ada@example.com';
    expect(await as(await issuer.sign({ email, email_verified: true }))).toMatchObject({
      owner: email,
      tenant: '',
    });
    for (const claims of [{ email }, { email, email_verified: false }, {}])
      expect(await as(await issuer.sign(claims))).toMatchObject({ kind: 'forbidden' });
  });

  test('without the scope that is needed is known, and may not: the challenge says which', async () => {
    const { as, issuer } = setting({ scope: 'agents.call' });
    for (const claims of [{ scope: 'other' }, {}, { scp: ['other'] }])
      expect(await as(await issuer.sign(claims))).toMatchObject({
        kind: 'forbidden',
        challenge: 'Bearer realm="a2a", error="insufficient_scope", scope="agents.call"',
      });
    for (const claims of [{ scope: 'x agents.call' }, { scp: ['agents.call'] }])
      expect(await as(await issuer.sign(claims))).toMatchObject({ authenticated: true });
  });

  test.each([{}, { org: '' }, { org: 7 }, { org: 'a/b' }, { org: '..' }])(
    'that names no tenant is forbidden where tenants are told apart (%j)',
    async (claims) => {
      const { as, issuer } = setting({ tenant: 'org' });
      expect(await as(await issuer.sign(claims))).toMatchObject({ kind: 'forbidden' });
    },
  );
});

describe('a token is refused', () => {
  test.each<[string, (clock: VirtualClock) => Readonly<Record<string, unknown>>, RegExp]>([
    ['that has expired', (clock) => ({ exp: seconds(clock, -61) }), /has expired/],
    ['that is not valid yet', (clock) => ({ nbf: seconds(clock, 61) }), /not valid yet/],
    ['that is made later than now', (clock) => ({ iat: seconds(clock, 61) }), /not valid yet/],
    ['for another audience', () => ({ aud: 'https://other.example' }), /another audience/],
    ['without an audience', () => ({ aud: undefined }), /another audience/],
    ['of another issuer', () => ({ iss: 'https://evil.example' }), /issuer that is known here/],
    ['without a subject', () => ({ sub: undefined }), /names no subject/],
    ['with an empty subject', () => ({ sub: ' ' }), /names no subject/],
    ['that never expires', () => ({ exp: undefined }), /refused/],
  ])('%s', async (_, claims, words) => {
    const { as, clock, issuer } = setting();
    const found = await as(await issuer.sign(claims(clock)));
    expect(found).toMatchObject({ kind: 'unauthenticated' });
    expect(why(found)).toMatch(words);
  });

  test('a minute of difference between clocks is none of these', async () => {
    const { as, clock, issuer } = setting();
    for (const claims of [{ exp: seconds(clock, -59) }, { nbf: seconds(clock, 59) }])
      expect(await as(await issuer.sign(claims))).toMatchObject({ authenticated: true });
  });

  test('with the algorithm none', async () => {
    const { as, clock, issuer } = setting();
    const token = new UnsecuredJWT({ sub: 'ada' })
      .setIssuer(issuer.issuer)
      .setAudience(issuer.audience)
      .setExpirationTime(seconds(clock, 600))
      .encode();
    expect(await as(token)).toMatchObject({ kind: 'unauthenticated' });
  });

  test('with HS256, signed with the public key as if it were a secret', async () => {
    const { as, issuer } = setting();
    const pem = issuer.pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const jwk = JSON.stringify(issuer.jwks.keys[0]);
    for (const key of [pem, jwk]) {
      const token = await issuer.sign({}, { alg: 'HS256', key: Buffer.from(key) });
      expect(why(await as(token))).toMatch(/algorithm is not taken here/);
    }
  });

  test('whose signature another key made, under the name of the right one', async () => {
    const { as, issuer } = setting();
    const other = new TokenIssuer({ now: () => 0 }).pair.privateKey;
    expect(why(await as(await issuer.sign({}, { key: other })))).toMatch(/signature is not right/);
  });

  test('that is too long, before any of it is read', async () => {
    const { as, issuer } = setting();
    expect(await as(await issuer.sign({ pad: 'x'.repeat(9_000) }))).toMatchObject({
      kind: 'unauthenticated',
    });
    expect(issuer.asked).toEqual([]);
  });

  test.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d', `${'.'.repeat(20)}`, 'eyJ.eyJ.x'])(
    'that is malformed: %j',
    async (token) => {
      const { as, issuer } = setting();
      expect(await as(token)).toMatchObject({ kind: 'unauthenticated' });
      expect(issuer.asked).toEqual([]);
    },
  );

  test('that came twice, or under another scheme', async () => {
    const { check, issuer } = setting();
    const token = await issuer.sign();
    for (const authorization of [
      [`Bearer ${token}`, `Bearer ${token}`],
      [`Basic ${token}`],
      [token],
    ])
      expect(await check.identify({ authorization })).toMatchObject({ kind: 'unauthenticated' });
    expect(await check.identify({})).toBeUndefined();
  });

  test('and nothing of it is in the words', async () => {
    const { as, issuer } = setting();
    const found = await as(await issuer.sign({ sub: 'a-secret-word', aud: 'a-secret-word' }));
    expect(JSON.stringify(found)).not.toContain('a-secret-word');
  });
});

describe('keys of an issuer', () => {
  test('are asked for once, however many tokens come at once', async () => {
    const { as, issuer } = setting();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => issuer.sign()));
    const found = await Promise.all(tokens.map(as));
    expect(found.every((each) => each !== undefined && 'owner' in each)).toBe(true);
    expect(issuer.asked).toHaveLength(2);
  });

  test('that are new are found when a token names one', async () => {
    const { as, clock, issuer } = setting();
    await as(await issuer.sign());
    await clock.advance(MINUTE);
    issuer.rotate('k2');
    expect(await as(await issuer.sign())).toMatchObject({ authenticated: true });
  });

  test('that are taken back are not used for longer than ten minutes', async () => {
    const { as, clock, issuer } = setting();
    const { kid, privateKey: key } = issuer.pair;
    expect(await as(await issuer.sign())).toMatchObject({ authenticated: true });
    issuer.rotate('k2');
    await clock.advance(10 * MINUTE);
    expect(why(await as(await issuer.sign({}, { key, kid })))).toMatch(/no such key/);
  });

  test('that a caller makes up do not make us ask each time', async () => {
    const { as, clock, issuer } = setting();
    await as(await issuer.sign());
    const before = issuer.asked.length;
    await clock.advance(MINUTE);
    for (let many = 0; many < 20; many += 1)
      expect(why(await as(await issuer.sign({}, { kid: `made-up-${many}` })))).toMatch(
        /no such key/,
      );
    expect(issuer.asked.length - before).toBe(2);
  });

  test('need no name where there is one of them, and one where there are several', async () => {
    const { as, clock, issuer } = setting();
    expect(await as(await issuer.sign({}, { kid: null }))).toMatchObject({ authenticated: true });
    issuer.rotate('k2', true);
    await clock.advance(10 * MINUTE);
    expect(why(await as(await issuer.sign({}, { kid: null })))).toMatch(/which key/);
  });

  test('are public ones alone: a shared secret among them is not one', async () => {
    const { as, issuer } = setting({ algorithms: ['RS256'] });
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    const shared = { kty: 'oct', k: key.toString('base64url'), kid: 'oct', alg: 'HS256' };
    issuer.answer = () => Promise.resolve({ keys: [shared, ...issuer.jwks.keys] });
    const token = await issuer.sign({}, { alg: 'HS256', key, kid: 'oct' });
    expect(await as(token)).toMatchObject({ kind: 'unauthenticated' });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['is away', () => Promise.reject(new Error('connection refused'))],
    ['answers garbage', () => Promise.resolve('<html>')],
    ['answers no keys', () => Promise.resolve({ keys: [] })],
  ])(
    'that can not be had, because their place %s, refuse no one: that passes',
    async (_, answer) => {
      const { as, clock, issuer } = setting();
      issuer.answer = answer;
      const token = await issuer.sign();
      for (let many = 0; many < 20; many += 1)
        await expect(as(token)).rejects.toMatchObject({ name: 'Unavailable' });
      // One try, and no stampede.
      expect(issuer.asked.filter((url) => url.endsWith('/keys'))).toHaveLength(1);
      issuer.answer = undefined;
      await clock.advance(5_000);
      expect(await as(token)).toMatchObject({ authenticated: true });
    },
  );

  test('stay in use for an hour while new ones can not be had', async () => {
    const { as, clock, issuer } = setting();
    await as(await issuer.sign());
    issuer.answer = () => Promise.reject(new Error('away'));
    await clock.advance(59 * MINUTE);
    expect(await as(await issuer.sign())).toMatchObject({ authenticated: true });
    // Nothing is known of a key that may be among the new ones.
    const unknown = await issuer.sign({}, { kid: 'k9' });
    await expect(as(unknown)).rejects.toMatchObject({ name: 'Unavailable' });
    await clock.advance(2 * MINUTE);
    await expect(as(await issuer.sign())).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('come late, and the tokens that wait for them share one question', async () => {
    const { as, issuer } = setting();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    issuer.answer = () => promise;
    const token = await issuer.sign();
    const waiting = Array.from({ length: 10 }, () => as(token));
    resolve(issuer.jwks);
    expect((await Promise.all(waiting)).every((each) => each && 'owner' in each)).toBe(true);
    expect(issuer.asked).toHaveLength(2);
  });

  test('of an issuer are not those of another, whose document says so', async () => {
    const { clock, issuer } = setting();
    const settings = issuerSchema.parse({ issuer: 'https://other.example', audience: 'a' });
    const other = openIdIssuer('oidc', settings, { clock, fetchJson: issuer.fetchJson });
    const token = await issuer.sign({ iss: 'https://other.example', aud: 'a' });
    await expect(other.verify(token)).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

describe('the configuration of an issuer', () => {
  test.each([
    [{ issuer: 'http://issuer.example', audience: 'a' }, /https/],
    [{ issuer: 'https://u:p@issuer.example', audience: 'a' }, /https/],
    [{ issuer: 'https://issuer.example' }, /audience|expected/i],
    [{ issuer: 'https://issuer.example', audience: 'a', algorithms: ['HS256'] }, /RS256/],
    [{ issuer: 'https://issuer.example', audience: 'a', algorithms: ['none'] }, /RS256/],
    [{ issuer: 'https://issuer.example', audience: 'a', key: 'x' }, /key/],
  ])('%j is refused', (given, words) => {
    expect(() => issuerSchema.parse(given)).toThrow(words);
  });
});
