import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTasksEmulator, type TasksEmulator } from '../../emulators/tasks/start.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { fetchJson } from '../system/fetch-json.ts';
import { systemClock } from '../system/system-clock.ts';
import { type CallerOptions, createVerifyCaller } from './verify-caller.ts';

const audience = 'https://worker.example';
const email = 'tasks@p.example';
let emulator: TasksEmulator;
let other: TasksEmulator;

beforeAll(async () => {
  emulator = await startTasksEmulator({ clock: new VirtualClock() });
  other = await startTasksEmulator({ clock: new VirtualClock() });
});
afterAll(async () => {
  await emulator.close();
  await other.close();
});

const verifier = (over: Partial<CallerOptions> = {}) =>
  createVerifyCaller({
    audience,
    serviceAccounts: [email],
    signature: 'ours',
    issuers: [emulator.tokens.issuer],
    keysUrl: `${emulator.keysUrl}/jwks`,
    clock: systemClock,
    fetchJson,
    ...over,
  });
const bearer = (token: string) => ({ authorization: [`Bearer ${token}`] });
const tokenIn = ({ authorization: [value = ''] }: ReturnType<typeof bearer>) => value.slice(7);
const signed = (claims: Readonly<Record<string, unknown>> = {}) =>
  bearer(emulator.tokens.sign(email, audience, claims));
const hour = 3_600;
const now = () => Math.floor(Date.now() / 1_000);

test('our own service account is known', async () => {
  expect(await verifier()(signed())).toBe('known');
});

describe('unknown is', () => {
  test.each([undefined, '', 'Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic dTpw'])(
    'the header %j',
    async (header) => {
      const headers = header === undefined ? {} : { authorization: [header] };
      expect(await verifier()(headers)).toBe('unknown');
      expect(await verifier({ signature: 'platform' })(headers)).toBe('unknown');
    },
  );

  test.each<[string, Record<string, unknown>]>([
    ['for another audience', { aud: 'https://other.example' }],
    ['of another issuer', { iss: 'https://accounts.evil.example' }],
    ['that has expired', { iat: now() - 3 * hour, exp: now() - 2 * hour }],
    ['of the future', { iat: now() + hour, exp: now() + 2 * hour }],
  ])('a token %s', async (_, claims) => {
    expect(await verifier()(signed(claims))).toBe('unknown');
  });

  test('a token that another key signed, or none', async () => {
    const forged = other.tokens.sign(email, audience, { iss: emulator.tokens.issuer });
    expect(await verifier()(bearer(forged))).toBe('unknown');
    const [head, payload] = tokenIn(signed()).split('.');
    expect(await verifier()(bearer(`${head}.${payload}.`))).toBe('unknown');
    expect(await verifier()(bearer(`${head}.${payload}.SIGNATURE_REMOVED_BY_GOOGLE`))).toBe(
      'unknown',
    );
  });
});

describe('refused is a genuine token', () => {
  test('of another service account, or of an address that is not verified', async () => {
    expect(await verifier()(signed({ email: 'someone@p.example' }))).toBe('refused');
    expect(await verifier()(signed({ email_verified: false }))).toBe('refused');
    expect(await verifier()(signed({ email: undefined }))).toBe('refused');
    expect(await verifier({ serviceAccounts: [] })(signed())).toBe('refused');
  });
});

describe('behind a platform that has checked and removed the signature', () => {
  const removed = (claims: Readonly<Record<string, unknown>> = {}) =>
    bearer(tokenIn(signed(claims)).replace(/[^.]+$/, 'SIGNATURE_REMOVED_BY_GOOGLE'));

  test('the claims decide', async () => {
    const verify = verifier({ signature: 'platform' });
    expect(await verify(removed())).toBe('known');
    expect(await verify(removed({ aud: 'https://other.example' }))).toBe('unknown');
    expect(await verify(removed({ iss: 'https://accounts.evil.example' }))).toBe('unknown');
    expect(await verify(removed({ exp: now() - hour }))).toBe('unknown');
    expect(await verify(removed({ email: 'someone@p.example' }))).toBe('refused');
  });

  test('a signature that is there is checked', async () => {
    const forged = other.tokens.sign(email, audience, { iss: emulator.tokens.issuer });
    const verify = verifier({ signature: 'platform' });
    expect(await verify(bearer(forged))).toBe('unknown');
    expect(await verify(signed())).toBe('known');
  });
});

describe('two headers with a token', () => {
  const removed = (token: string) => token.replace(/[^.]+$/, 'SIGNATURE_REMOVED_BY_GOOGLE');
  const of = (account: string) => emulator.tokens.sign(account, audience);
  const both = (checked: string, written: string) => ({
    'x-serverless-authorization': [checked],
    authorization: [`Bearer ${written}`],
  });

  test('the one that the platform checked says who calls, and never the other', async () => {
    const verify = verifier({ signature: 'platform' });
    const stranger = `Bearer ${removed(of('someone@p.example'))}`;
    expect(await verify(both(stranger, removed(of(email))))).toBe('refused');
    expect(await verify(both(stranger, of(email)))).toBe('refused');
    expect(await verify(both(`Bearer ${removed(of(email))}`, 'x'))).toBe('known');
    for (const odd of ['', 'Basic dTpw', 'Bearer', `Bearer  ${email}`]) {
      expect(await verify(both(odd, removed(of(email))))).toBe('unknown');
    }
  });

  test('no token at all is believed where the code looks at signatures, and the platform left none', async () => {
    const headers = both(`Bearer ${removed(of(email))}`, removed(of(email)));
    expect(await verifier()(headers)).toBe('unknown');
  });

  test('a header that came twice says nothing', async () => {
    const verify = verifier({ signature: 'platform' });
    const twice = [`Bearer ${removed(of(email))}`, `Bearer ${removed(of(email))}`];
    expect(await verify({ authorization: twice })).toBe('unknown');
    expect(await verify({ 'x-serverless-authorization': twice })).toBe('unknown');
  });
});

test('without keys no caller is known: that is a fault of ours, not of the caller', async () => {
  const verify = verifier({ keysUrl: 'http://127.0.0.1:1/certs' });
  await expect(verify(signed())).rejects.toMatchObject({ name: 'Unavailable' });
});
