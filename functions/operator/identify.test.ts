import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTasksEmulator, type TasksEmulator } from '../../emulators/tasks/start.ts';
import { VirtualClock } from '../../test/doubles/virtual-clock.ts';
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

describe('behind Cloud Run', () => {
  const identify = identifyFrom({ HOLDFAST_AUDIENCE: audience }, 'google', '', log);
  const as = (token: string) => identify({ authorization: `Bearer ${token}` });

  test('an operator is the address of the token that it has checked', async () => {
    expect(await as(stripped({}))).toBe('ada@example.com');
  });

  test('a person may come with the token that gcloud prints', async () => {
    const aud = '32555940559.apps.googleusercontent.com';
    expect(await as(stripped({ aud }))).toBe('ada@example.com');
  });

  test.each([
    ['for another service', { aud: 'https://worker.example' }],
    ['of another issuer', { iss: 'https://accounts.evil.example' }],
    ['that has expired', { exp: now - 3_600 }],
    ['of an address that nobody vouches for', { email_verified: false }],
    ['without an address', { email: undefined }],
  ])('a token %s is nobody', async (_, claims) => {
    expect(await as(stripped(claims))).toBeUndefined();
  });

  test('no token, and what is none, is nobody', async () => {
    expect(await identify({})).toBeUndefined();
    expect(await identify({ authorization: 'Basic dTpw' })).toBeUndefined();
  });

  test("the proxy's header is nothing where no proxy is configured", async () => {
    expect(await identify({ 'x-goog-iap-jwt-assertion': stripped({}) })).toBeUndefined();
  });
});

describe('behind Identity-Aware Proxy', () => {
  test('a token is nothing, and neither is a header without its signature', async () => {
    const environment = { HOLDFAST_AUDIENCE: audience, HOLDFAST_IAP_AUDIENCE: '/projects/1/x' };
    const identify = identifyFrom(environment, 'google', '', log);
    expect(await identify({ authorization: `Bearer ${stripped({})}` })).toBeUndefined();
    expect(
      await identify({ 'x-goog-authenticated-user-email': 'ada@example.com' }),
    ).toBeUndefined();
  });
});

test('with the keys of an emulator, the signature is checked here', async () => {
  const environment = {
    HOLDFAST_AUDIENCE: audience,
    HOLDFAST_TOKEN_ISSUER: emulator.tokens.issuer,
    HOLDFAST_TOKEN_KEYS_URL: `${emulator.keysUrl}/certs`,
  };
  const identify = identifyFrom(environment, 'google', '', log);
  const token = emulator.tokens.sign('ada@example.com', audience, {});
  expect(await identify({ authorization: `Bearer ${token}` })).toBe('ada@example.com');
  const iss = emulator.tokens.issuer;
  expect(await identify({ authorization: `Bearer ${stripped({ iss })}` })).toBeUndefined();
});
