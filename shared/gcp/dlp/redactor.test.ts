import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DlpEmulator, startDlpEmulator } from '../../../emulators/dlp/start.ts';
import { openAuthorization } from './authorization.ts';
import { createDlpRedactor, type DlpOptions } from './redactor.ts';

let emulator: DlpEmulator;
let before: number;
beforeAll(async () => {
  emulator = await startDlpEmulator();
});
afterAll(() => emulator.close());
beforeEach(() => {
  emulator.plan();
  before = emulator.calls.length;
});

const calls = () => emulator.calls.slice(before);
const open = (options: Partial<DlpOptions> = {}) =>
  createDlpRedactor({ project: 'p', location: 'europe-west3', endpoint: emulator.url, ...options });
const MAIL = 'jane@example.org';

describe('a request', () => {
  test('goes to the location, with one text a row and the kinds that are asked for', async () => {
    const redactor = open({ infoTypes: ['EMAIL_ADDRESS'], minLikelihood: 'LIKELY' });
    expect(await redactor.redact([MAIL, '+49 30 23125 045'])).toEqual([
      '[EMAIL_ADDRESS]',
      '+49 30 23125 045',
    ]);
    const [call] = calls();
    expect(call?.path).toBe('/v2/projects/p/locations/europe-west3/content:deidentify');
    expect(call?.request.item.table.rows).toHaveLength(2);
    expect(call?.request.inspectConfig).toEqual({
      infoTypes: [{ name: 'EMAIL_ADDRESS' }],
      minLikelihood: 'LIKELY',
    });
  });

  test('is not made for texts without characters', async () => {
    expect(await open().redact(['', ''])).toEqual(['', '']);
    expect(calls()).toEqual([]);
  });

  test('holds at most half a megabyte, and its texts come back in order', async () => {
    const texts = Array.from({ length: 30 }, (_, n) => `${n} ${MAIL} ${'ä"'.repeat(20_000)}`);
    const redacted = await open().redact(texts);
    expect(redacted).toEqual(texts.map((text) => text.replace(MAIL, '[EMAIL_ADDRESS]')));
    expect(calls().length).toBeGreaterThan(5);
    for (const { bytes } of calls()) expect(bytes).toBeLessThan(500_000);
  });

  test('with too many findings is made again in halves', async () => {
    const texts = Array.from({ length: 10 }, (_, n) => `${n} ${`${MAIL} `.repeat(1_000)}`);
    const redacted = await open().redact(texts);
    expect(redacted).toEqual(texts.map((text) => text.replaceAll(MAIL, '[EMAIL_ADDRESS]')));
  });

  test('whose answer has as many findings as one may have is made again in halves', async () => {
    const full = { count: '3000', code: 'SUCCESS' };
    const rows = ['a', 'b'].map((text) => ({ values: [{ stringValue: text }] }));
    const overview = { transformationSummaries: [{ results: [full] }] };
    emulator.plan({ body: JSON.stringify({ item: { table: { rows } }, overview }) });
    expect(await open().redact([MAIL, MAIL])).toEqual(['[EMAIL_ADDRESS]', '[EMAIL_ADDRESS]']);
    expect(calls()).toHaveLength(3);
  });

  test('has no half of a character', async () => {
    expect(await open().redact([`${MAIL} \ud83d`])).toEqual(['[EMAIL_ADDRESS] \ufffd']);
  });
});

describe('nothing is handed out that was not looked at', () => {
  const unavailable = { name: 'Unavailable', advice: 'retry' };

  test.each([400, 403, 404, 500])(
    'status %i is a failure, and is not asked again',
    async (status) => {
      emulator.plan({ status, message: `about ${MAIL}` });
      const failure = open().redact([MAIL]);
      await expect(failure).rejects.toMatchObject(unavailable);
      await failure.catch((error: Error) => {
        expect(`${error.message} ${String(error.cause)}`).not.toContain('jane');
      });
      expect(calls()).toHaveLength(1);
    },
  );

  test.each([429, 503])('status %i is asked again', async (status) => {
    emulator.plan({ status }, { status });
    expect(await open().redact([MAIL])).toEqual(['[EMAIL_ADDRESS]']);
    expect(calls()).toHaveLength(3);
  });

  test('a service that stays overloaded is a failure', async () => {
    emulator.plan(...Array.from({ length: 9 }, () => ({ status: 503 })));
    await expect(open().redact([MAIL])).rejects.toMatchObject(unavailable);
    expect(calls()).toHaveLength(4);
  });

  test('silence until the deadline is a failure', async () => {
    emulator.plan('silence');
    await expect(open({ deadline: 50 }).redact([MAIL])).rejects.toMatchObject(unavailable);
  });

  test('a broken connection is a failure', async () => {
    emulator.plan('reset');
    await expect(open().redact([MAIL])).rejects.toMatchObject(unavailable);
  });

  const table = (...texts: string[]) => ({
    table: { rows: texts.map((text) => ({ values: [{ stringValue: text }] })) },
  });
  const results = [{ count: '1', code: 'ERROR', details: 'planned' }];
  test.each([
    ['no JSON', '<html>'],
    ['no table', '{"item":{"value":"x"}}'],
    ['a row too few', JSON.stringify({ item: table('x') })],
    ['a row too many', JSON.stringify({ item: table('x', 'y', 'z') })],
    [
      'a replacement that failed',
      JSON.stringify({
        item: table('x', 'y'),
        overview: { transformationSummaries: [{ results }] },
      }),
    ],
  ])('an answer with %s is a failure', async (_what, body) => {
    emulator.plan({ body });
    await expect(open().redact([MAIL, MAIL])).rejects.toMatchObject(unavailable);
  });

  test('a later batch that fails takes the earlier ones with it', async () => {
    const large = 'a '.repeat(200_000);
    emulator.plan({ body: JSON.stringify({ item: table('fine') }) }, { status: 403 });
    await expect(open().redact([large, large])).rejects.toMatchObject(unavailable);
  });

  test('a single text with too many findings is a failure', async () => {
    const text = `${MAIL} `.repeat(3_001);
    await expect(open().redact([text])).rejects.toMatchObject(unavailable);
  });

  test('a text that no request can hold is refused before it is sent', async () => {
    const failure = open().redact(['a'.repeat(500_000)]);
    await expect(failure).rejects.toMatchObject({ name: 'TooLarge', advice: 'stop' });
    expect(calls()).toEqual([]);
  });
});

test('the double refuses a request that is not as documented', async () => {
  const post = async (path: string, body: object) =>
    (
      await fetch(`${emulator.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  const path = '/v2/projects/p/locations/global/content:deidentify';
  expect(await post('/v2/content:deidentify', {})).toBe(404);
  expect(await post(path, {})).toBe(400);
  expect(await post(path, { item: { value: 'x' }, unknown: true })).toBe(400);
});

test('over https a call carries a token of the service account', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    type: 'service_account',
    client_email: 'redactor@p.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    // Outside Google's own universe the library signs the token itself, without a call.
    universe_domain: 'universe.example',
  };
  writeFileSync(join(folder, 'account.json'), JSON.stringify(account));
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'account.json'));
  try {
    const { authorization = '' } = await openAuthorization('https://dlp.universe.example/')();
    const [, payload = ''] = authorization.replace('Bearer ', '').split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: 'redactor@p.example',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    });
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});
