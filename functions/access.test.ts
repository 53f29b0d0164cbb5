import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTasksEmulator, type TasksEmulator } from '../emulators/tasks/start.ts';
import type { AgentName } from '../shared/domain/ids.ts';
import { defaults } from '../shared/domain/settings.ts';
import type { CallerHeaders } from '../shared/ports/access.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { openAccessOf } from './access.ts';
import { accessSettings } from './access-settings.ts';
import type { Callers } from './callers.ts';

const AUDIENCE = 'https://a2a.example';
const BASE = 'https://agents.example';
const GCLOUD = '32555940559.apps.googleusercontent.com';
const echo = 'echo' as AgentName;
const ISSUERS = JSON.stringify([{ issuer: 'https://login.example', audience: 'agents' }]);
let emulator: TasksEmulator;

beforeAll(async () => {
  emulator = await startTasksEmulator({ clock: new VirtualClock() });
});
afterAll(() => emulator.close());

function opened(ways: string, front: Callers, more: Readonly<Record<string, string>> = {}) {
  const issuers = ways.includes('oidc') ? ISSUERS : undefined;
  const store = { get: () => Promise.resolve(undefined) };
  const app = { clock: systemClock, settings: defaults, store: store as never };
  const environment = {
    HOLDFAST_AUDIENCE: AUDIENCE,
    HOLDFAST_BASE_URL: BASE,
    HOLDFAST_TOKEN_ISSUER: emulator.tokens.issuer,
    HOLDFAST_TOKEN_KEYS_URL: `${emulator.keysUrl}/jwks`,
    ...more,
  };
  const access = openAccessOf(
    app,
    accessSettings(ways.split(','), issuers, false),
    front,
    environment,
  );
  return { ...access, as: (headers: CallerHeaders) => access.principalOf(headers, echo) };
}

const token = (audience: string, claims = {}) =>
  emulator.tokens.sign('ada@example.com', audience, claims);
const bearer = (text: string) => ({ authorization: [`Bearer ${text}`] });
const stripped = (text: string) => text.replace(/[^.]+$/, 'SIGNATURE_REMOVED_BY_GOOGLE');

describe('a Google-signed token', () => {
  test('names its owner by its address, for the address of the function and the public one', async () => {
    const { as } = opened('google', 'signature');
    for (const audience of [AUDIENCE, BASE])
      expect(await as(bearer(token(audience)))).toMatchObject({
        owner: 'ada@example.com',
        tenant: '',
        authenticated: true,
        claims: { email: 'ada@example.com' },
      });
    expect(await as(bearer(token('https://other.example')))).toMatchObject({
      kind: 'unauthenticated',
    });
  });

  test('without a verified address names no owner', async () => {
    const { as } = opened('google', 'signature');
    for (const claims of [{ email: undefined }, { email_verified: false }])
      expect(await as(bearer(token(AUDIENCE, claims)))).toMatchObject({ kind: 'forbidden' });
  });

  test('without its signature counts where Cloud Run has checked it, and nowhere else', async () => {
    const headers = bearer(stripped(token(AUDIENCE)));
    expect(await opened('google', 'iam').as(headers)).toMatchObject({ owner: 'ada@example.com' });
    expect(await opened('google', 'signature').as(headers)).toMatchObject({
      kind: 'unauthenticated',
    });
  });

  test('that gcloud prints for a person counts only where the deployment says so', async () => {
    const headers = bearer(token(GCLOUD));
    expect(await opened('google', 'signature').as(headers)).toHaveProperty('kind');
    const open = opened('google', 'signature', { HOLDFAST_GCLOUD_USERS: 'true' });
    expect(await open.as(headers)).toMatchObject({ owner: 'ada@example.com' });
  });
});

test('behind Cloud Run each way comes on top of its token, and the card says so', () => {
  const { security } = opened('keys,oidc', 'iam');
  expect(Object.keys(security?.schemes ?? {}).toSorted()).toEqual(['apiKey', 'oidc', 'platform']);
  expect(security?.alternatives).toEqual([
    ['platform', 'apiKey'],
    ['platform', 'oidc'],
  ]);
  expect(opened('open', 'signature').security).toBeUndefined();
});

test('behind the proxy its signed header is asked for, and the plain one says nothing', async () => {
  const { as, security } = opened('iap', 'iap', { HOLDFAST_IAP_AUDIENCE: '/projects/1/x' });
  expect(security?.alternatives).toEqual([['iap']]);
  const plain = { 'x-goog-authenticated-user-email': ['accounts.google.com:ada@example.com'] };
  expect(await as(plain)).toMatchObject({ kind: 'unauthenticated' });
  expect(await as({ 'x-goog-iap-jwt-assertion': ['x'] })).toMatchObject({
    kind: 'unauthenticated',
  });
});

test.each<[string, Callers, RegExp]>([
  ['google', 'iap', /google must be iap/],
  ['iap', 'iap', /HOLDFAST_IAP_AUDIENCE/],
])('%s behind %s is refused as it stands', (ways, front, words) => {
  expect(() => opened(ways, front)).toThrow(words);
});

test.each<[readonly string[], string | undefined, RegExp]>([
  [[], undefined, /one or several of/],
  [['magic'], undefined, /one or several of open, keys, google, iap, oidc/],
  [['oidc'], undefined, /need each other/],
  [['keys'], ISSUERS, /need each other/],
  [['oidc'], '{', /must be JSON/],
  [['oidc'], '[{"issuer":"http://login.example","audience":"a"}]', /0\.issuer: must be an https/],
  [['oidc'], `[${ISSUERS.slice(1, -1)},${ISSUERS.slice(1, -1)}]`, /is there twice/],
])('--access %j with --issuers %j is refused, and the words name it', (ways, issuers, words) => {
  expect(() => accessSettings(ways, issuers, false)).toThrow(words);
});
