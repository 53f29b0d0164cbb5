import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  );
  if (url !== undefined) writeFileSync(join(data, OPERATOR_URL_FILE), `${url}\n`);
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

test.each(['https://operator.example', 'http://127.0.0.1.example', 'http://localhost.example'])(
  'and goes nowhere else: %s',
  (url) => {
    const data = folder();
    expect(() => accessFrom({ data, url }, {})).toThrow('no token');
    expect(() => accessFrom({ data }, { HOLDFAST_OPERATOR_URL: url })).toThrow('no token');
    expect(() => accessFrom({ data: folder(url) }, {})).toThrow('no token');
    expect(accessFrom({ data, url, token: 'its own' }, {}).token).toBe('its own');
    expect(accessFrom({ data, url }, { HOLDFAST_TOKEN: 'its own' }).token).toBe('its own');
  },
);

test("a refusal's words rewrite no terminal", async () => {
  const message = 'not \u001b[2Jyours';
  const refused = () =>
    Promise.resolve(Response.json({ error: { code: 'RUN_ENDED', message } }, { status: 409 }));
  const client = new OperatorApi({ url: 'http://127.0.0.1:1', token: 't' }, refused);
  await expect(client.get('/runs/x', runRow)).rejects.toThrow('not \ufffd[2Jyours (RUN_ENDED)');
});
