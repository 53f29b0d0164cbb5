import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OPERATOR_URL_FILE, OPERATORS_FILE } from '../operators-file.ts';
import { accessFrom } from './access.ts';
import { OperatorApi } from './client.ts';
import { runRow } from '../../shared/operator/run-schemas.ts';

function folder(url?: string): string {
  const data = mkdtempSync(join(tmpdir(), 'holdfast-access-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  writeFileSync(
    join(data, OPERATORS_FILE),
    JSON.stringify({ local: { token: 'of-this-machine' } }),
    { mode: 0o600 },
  );
  if (url !== undefined) writeFileSync(join(data, OPERATOR_URL_FILE), `${url}\n`, { mode: 0o600 });
  return data;
}

test.each(['http://127.0.0.1:9000', 'http://localhost:9000/', 'http://[::1]:9000'])(
  'the token of the data folder is for this machine: %s',
  (url) => {
    expect(accessFrom({ data: folder(), url }, {}).token).toBe('of-this-machine');
    expect(accessFrom({ data: folder(url) }, {})).toEqual({
      url: url.replace(/\/$/, ''),
      token: 'of-this-machine',
    });
  },
);

test.each(['https://operator.example', 'https://127.0.0.1.example', 'https://localhost.example'])(
  'and goes nowhere else: %s',
  (url) => {
    const data = folder();
    expect(() => accessFrom({ data, url }, {})).toThrow('no token');
    expect(() => accessFrom({ data }, { HOLDFAST_OPERATOR_URL: url })).toThrow('no token');
    expect(() => accessFrom({ data: folder(url) }, {})).toThrow('names another machine');
    expect(accessFrom({ data, url, token: 'its own' }, {}).token).toBe('its own');
    expect(accessFrom({ data, url }, { HOLDFAST_TOKEN: 'its own' }).token).toBe('its own');
  },
);

test('where no server has told its address nothing is sent, whatever listens on this machine', () => {
  expect(() => accessFrom({ data: folder() }, {})).toThrow('no server runs over');
  expect(() => accessFrom({ data: folder() }, { HOLDFAST_TOKEN: 'its own' })).toThrow('give --url');
});

test('a token that was given goes to no address that a folder names on another machine', () => {
  const data = folder('https://operator.example');
  const given = { HOLDFAST_TOKEN: 'its own' };
  expect(() => accessFrom({ data }, given)).toThrow('names another machine');
  expect(accessFrom({ data: folder('http://127.0.0.1:9000') }, given).token).toBe('its own');
});

test.each(['http://operator.example', 'http://10.0.0.7:8081', 'http://127.0.0.1.example'])(
  'and none goes unencrypted to another machine: %s',
  (url) => {
    expect(() => accessFrom({ url, token: 'its own' }, {})).toThrow('give an https URL');
  },
);

const posix = test.skipIf(process.platform === 'win32');

posix.each([
  ['the folder', '.', 0o775],
  ['the address', OPERATOR_URL_FILE, 0o622],
  ['the operators', OPERATORS_FILE, 0o602],
])('what others could have written is not used: %s', (_, name, mode) => {
  const data = folder('http://127.0.0.1:9000');
  chmodSync(join(data, name), mode);
  expect(() => accessFrom({ data }, {})).toThrow(/ is open to other users; close it with chmod/);
});

posix('a token file is read when it is readable by its owner alone', () => {
  const file = join(folder(), 'token');
  const url = 'https://operator.example';
  expect(() => accessFrom({ url, 'token-file': file }, {})).toThrow('there is no token file');
  writeFileSync(file, 'of-a-file\n', { mode: 0o600 });
  expect(accessFrom({ url, 'token-file': file }, {}).token).toBe('of-a-file');
  expect(accessFrom({ url }, { HOLDFAST_TOKEN_FILE: file }).token).toBe('of-a-file');
  expect(accessFrom({ url, 'token-file': file }, { HOLDFAST_TOKEN: 'other' }).token).toBe(
    'of-a-file',
  );
  chmodSync(file, 0o640);
  expect(() => accessFrom({ url, 'token-file': file }, {})).toThrow('is open to other users');
});

test("a refusal's words rewrite no terminal", async () => {
  const message = 'not \u001b[2Jyours';
  const refused = () =>
    Promise.resolve(Response.json({ error: { code: 'RUN_ENDED', message } }, { status: 409 }));
  const client = new OperatorApi(() => ({ url: 'http://127.0.0.1:1', token: 't' }), refused);
  await expect(client.get('/runs/x', runRow)).rejects.toThrow('not \ufffd[2Jyours (RUN_ENDED)');
});
