import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleConsole } from '../../functions/console/bundle.ts';
import { asOperator } from '../e2e/operating.ts';
import { type Server, useFleet } from '../e2e/server.ts';
import { PROJECT } from '../packages/unpack.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const fleet = useFleet();
let server: Server;
let port = 0;
let token = '';

beforeAll(async () => {
  server = await fleet.start({ store: 'embedded' });
  port = Number(new URL(await readFile(join(server.data, 'operator-url'), 'utf8')).port);
  token =
    /"token": "([^"]+)"/.exec(await readFile(join(server.data, 'operators.json'), 'utf8'))?.[1] ??
    '';
});

/** One request as it stands on the wire, and the head and body of its answer. */
function raw(head: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

const here = () => `Host: 127.0.0.1:${port}`;
const known = () => `Authorization: Bearer ${token}`;

describe('the operators’ port', () => {
  it.each([
    [
      'a name that was made to point here',
      'GET /runs HTTP/1.1',
      ['Host: evil.example'],
      421,
      'HOST_REFUSED',
    ],
    [
      'that name for the page itself',
      'GET /console/ HTTP/1.1',
      ['Host: evil.example:8081'],
      421,
      'HOST_REFUSED',
    ],
    [
      'a page of another site',
      'GET /runs HTTP/1.1',
      ['Sec-Fetch-Site: cross-site'],
      403,
      'ORIGIN_REFUSED',
    ],
    [
      'a page of another port of this machine',
      'GET /runs HTTP/1.1',
      ['Sec-Fetch-Site: same-site'],
      403,
      'ORIGIN_REFUSED',
    ],
    [
      'such a page, of an older browser',
      'GET /runs HTTP/1.1',
      ['Origin: http://127.0.0.1:1'],
      403,
      'ORIGIN_REFUSED',
    ],
    ['a page without an origin', 'GET /live HTTP/1.1', ['Origin: null'], 403, 'ORIGIN_REFUSED'],
    [
      'what changes something, from another site',
      'POST /runs/x/cancel HTTP/1.1',
      ['Sec-Fetch-Site: cross-site', 'Content-Type: application/json', 'Content-Length: 2'],
      403,
      'ORIGIN_REFUSED',
    ],
    [
      'a preflight',
      'OPTIONS /runs HTTP/1.1',
      [
        'Sec-Fetch-Site: cross-site',
        'Origin: https://evil.example',
        'Access-Control-Request-Method: POST',
      ],
      403,
      'ORIGIN_REFUSED',
    ],
  ])('refuses %s, though the token is right', async (_, line, headers, status, code) => {
    const host = headers.some((header) => header.startsWith('Host:')) ? [] : [here()];
    const answer = await raw([line, ...host, known(), ...headers]);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(code);
    expect(answer.toLowerCase()).not.toContain('access-control-allow');
  });

  it.each([
    ['its own page', ['Sec-Fetch-Site: same-origin']],
    ['its own page in an older browser', () => [`Origin: http://127.0.0.1:${port}`]],
    ['a person who types the address', ['Sec-Fetch-Site: none']],
    ['a program', []],
  ])('answers %s', async (_, headers) => {
    const given = typeof headers === 'function' ? headers() : headers;
    const answer = await raw(['GET /runs HTTP/1.1', here(), known(), ...given]);
    expect(answer).toContain('HTTP/1.1 200 OK');
  });

  it('answers nothing but the page to who is not known', async () => {
    for (const path of ['/runs', '/live', '/me', '/status', '/inbox']) {
      expect(await raw([`GET ${path} HTTP/1.1`, here()]), path).toContain('HTTP/1.1 401 ');
    }
    const { get } = await asOperator(server);
    expect((await get('/me')).body).toMatchObject({ operator: 'local' });
  });

  it('takes no token out of an address', async () => {
    const answer = await raw([`GET /runs?token=${token} HTTP/1.1`, here()]);
    expect(answer).toContain('HTTP/1.1 401 ');
  });
});

describe('the page', () => {
  it('may load its two files and nothing else, and is not kept', async () => {
    const page = await raw(['GET /console/runs/some-id HTTP/1.1', here()]);
    expect(page).toContain('HTTP/1.1 200 OK');
    for (const header of [
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      'X-Content-Type-Options: nosniff',
      'Referrer-Policy: no-referrer',
      'Cross-Origin-Resource-Policy: same-origin',
      'Cross-Origin-Opener-Policy: same-origin',
      'Cache-Control: no-cache',
    ])
      expect(page).toContain(`${header}\r\n`);
    expect(page).not.toMatch(/<style|style="|<script(?![^>]* src=)/);
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
    const file = await raw([`GET ${script} HTTP/1.1`, here(), 'Sec-Fetch-Site: same-origin']);
    expect(file).toContain('Cache-Control: public, max-age=31536000, immutable');
    expect(file).toContain('Content-Type: text/javascript');
    expect(await raw(['GET /console/assets/other.js HTTP/1.1', here()])).toContain('404');
    expect(await raw(['GET /console HTTP/1.1', here()])).toContain('Location: /console/');
  });

  it('is under 150 KB of script, of Preact and our own code alone', async () => {
    const { assets, metafile } = await bundleConsole(PROJECT);
    const scripts = Object.entries(assets.files).filter(([name]) => name.endsWith('.js'));
    expect(scripts).toHaveLength(1);
    const bytes = scripts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(150_000);
    const foreign = Object.keys(metafile.inputs).filter((path) => !path.startsWith('console/'));
    expect(foreign.filter((path) => !path.startsWith('node_modules/preact/'))).toEqual([]);
    expect((await bundleConsole(PROJECT)).assets).toEqual(assets);
  });
});
