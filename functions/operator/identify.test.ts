import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTasksEmulator, type TasksEmulator } from '../../emulators/tasks/start.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { identifyFrom } from './identify.ts';

const audience = 'https://operator.example';
const log = { write: () => undefined };
let emulator: TasksEmulator;

beforeAll(async () => {
  emulator = await startTasksEmulator({ clock: new VirtualClock() });
});
afterAll(() => emulator.close());

const now = Math.floor(Date.now() / 1_000);

/** As Cloud Run hands a token on that it has checked. */
function stripped(claims: object): string {
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const whole = {
    iss: 'https://accounts.google.com',
    aud: audience,
    exp: now + 600,
    email: 'ada@example.com',
    email_verified: true,
    ...claims,
  };
  return `${text({ alg: 'RS256' })}.${text(whole)}.SIGNATURE_REMOVED_BY_GOOGLE`;
}

const platform = { HOLDFAST_AUDIENCE: audience, HOLDFAST_CALLERS: 'iam' };
const bearer = (token: string) => [`Bearer ${token}`];

describe('behind Cloud Run', () => {
  const identify = identifyFrom(platform, 'google', '', log);
  const as = (token: string) => identify({ authorization: bearer(token) });

  test('an operator is the address of the token that it has checked', async () => {
    expect(await as(stripped({}))).toBe('ada@example.com');
  });

  test('with two tokens, the one that it has checked counts, and the other is not trusted', async () => {
    const mallory = bearer(stripped({ email: 'mallory@example.com' }));
    const headers = { 'x-serverless-authorization': mallory, authorization: bearer(stripped({})) };
    expect(await identify(headers)).toBe('mallory@example.com');
    expect(await identify({ ...headers, 'x-serverless-authorization': [''] })).toBeUndefined();
  });

  test('a token that came twice names no operator', async () => {
    const twice = [...bearer(stripped({})), ...bearer(stripped({}))];
    expect(await identify({ authorization: twice })).toBeUndefined();
  });

  test('the token that gcloud prints for a person counts only where the deployment says so', async () => {
    const aud = '32555940559.apps.googleusercontent.com';
    expect(await as(stripped({ aud }))).toBeUndefined();
    const open = identifyFrom({ ...platform, HOLDFAST_GCLOUD_USERS: 'true' }, 'google', '', log);
    expect(await open({ authorization: bearer(stripped({ aud })) })).toBe('ada@example.com');
  });

  test.each([
    ['for another service', { aud: 'https://worker.example' }],
    ['of another issuer', { iss: 'https://accounts.evil.example' }],
    ['that has expired', { exp: now - 3_600 }],
    ['of an address that is not verified', { email_verified: false }],
    ['without an address', { email: undefined }],
  ])('a token %s names no operator', async (_, claims) => {
    expect(await as(stripped(claims))).toBeUndefined();
  });

  test('no token, and what is none, names no operator', async () => {
    expect(await identify({})).toBeUndefined();
    expect(await identify({ authorization: ['Basic dTpw'] })).toBeUndefined();
  });

  test("the proxy's header is nothing where no proxy is configured", async () => {
    expect(await identify({ 'x-goog-iap-jwt-assertion': [stripped({})] })).toBeUndefined();
  });
});

describe('behind Identity-Aware Proxy', () => {
  test('a token is nothing, and neither is a header without its signature', async () => {
    const environment = {
      HOLDFAST_AUDIENCE: audience,
      HOLDFAST_CALLERS: 'iap',
      HOLDFAST_IAP_AUDIENCE: '/projects/1/x',
    };
    const identify = identifyFrom(environment, 'google', '', log);
    expect(await identify({ authorization: bearer(stripped({})) })).toBeUndefined();
    expect(
      await identify({ 'x-goog-authenticated-user-email': ['ada@example.com'] }),
    ).toBeUndefined();
  });
});

test('with the keys of an emulator, the signature is checked here', async () => {
  const environment = {
    HOLDFAST_AUDIENCE: audience,
    HOLDFAST_CALLERS: 'signature',
    HOLDFAST_TOKEN_ISSUER: emulator.tokens.issuer,
    HOLDFAST_TOKEN_KEYS_URL: `${emulator.keysUrl}/jwks`,
  };
  const identify = identifyFrom(environment, 'google', '', log);
  const token = emulator.tokens.sign('ada@example.com', audience, {});
  expect(await identify({ authorization: bearer(token) })).toBe('ada@example.com');
  const iss = emulator.tokens.issuer;
  expect(await identify({ authorization: bearer(stripped({ iss })) })).toBeUndefined();
});

test.each([
  [{}, /HOLDFAST_CALLERS is ""; it must be iam, iap or signature/],
  [{ HOLDFAST_CALLERS: 'iap' }, /need each other/],
  [{ HOLDFAST_CALLERS: 'iam', HOLDFAST_IAP_AUDIENCE: '/projects/1/x' }, /need each other/],
])('a deployment that does not say who looked at a caller does not start (%j)', (said, words) => {
  const environment = { HOLDFAST_AUDIENCE: audience, ...said };
  expect(() => identifyFrom(environment, 'google', '', log)).toThrow(words);
});
