import { afterEach, describe, expect, test } from 'vitest';
import { certificates } from '../../test/fixtures/remotes/scripted-remote.ts';
import {
  json,
  type Respond,
  startWebServer,
  type WebServerOptions,
} from '../../test/fixtures/remotes/web-server.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import type { OutgoingRequest } from '../ports/outgoing-http.ts';
import type { Address } from './connect.ts';
import { createOutgoingHttp, type OutgoingHttpOptions } from './outgoing-http.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(respond: Respond, options: WebServerOptions = {}) {
  const server = await startWebServer(respond, options);
  closing.push(() => server.close());
  return server;
}

function outgoing(options: Partial<OutgoingHttpOptions> = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const http = createOutgoingHttp({ clock, requestBytes: 1024, allowPrivate: true, ...options });
  return { clock, http };
}

const post = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeout: 15_000,
  answerBytes: 64,
  ...more,
});

const at = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 });

describe('a request to a URL that a caller gave', () => {
  test('arrives as it was given, and its answer comes back', async () => {
    const server = await listening((_, response) => json(response, { ok: true }, 202));
    const { http } = outgoing();
    expect(await http.send(post(`${server.url}/hook?a=b`))).toEqual({
      kind: 'answer',
      status: 202,
      contentType: 'application/json',
      body: Buffer.from('{"ok":true}'),
    });
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/hook?a=b',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      },
    ]);
  });

  test.each([301, 302, 303, 307, 308])('follows no redirect: %i is the answer', async (status) => {
    const other = await listening((_, response) => json(response, {}));
    const server = await listening((_, response) => {
      response.writeHead(status, { location: other.url }).end();
    });
    const outcome = await outgoing().http.send(post(server.url));
    expect(outcome).toMatchObject({ kind: 'answer', status });
    expect(other.connections()).toBe(0);
  });

  test('of which the answer floods: it is cut off, and its status counts', async () => {
    const server = await listening((_, response) => {
      response.writeHead(200).on('error', () => undefined);
      const flood = (): void => {
        while (response.write('x'.repeat(16_384)));
        response.once('drain', flood);
      };
      flood();
    });
    for (const answerBytes of [0, 64]) {
      const outcome = await outgoing().http.send(post(server.url, { answerBytes }));
      expect(outcome).toEqual({ kind: 'answer', status: 200, contentType: '' });
    }
  });

  test('is told how long to wait, in either form of Retry-After', async () => {
    const server = await listening((request, response) => {
      const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 20)).toUTCString();
      response.writeHead(503, { 'retry-after': request.url === '/date' ? date : '20' }).end();
    });
    for (const path of ['/seconds', '/date']) {
      const outcome = await outgoing().http.send(post(`${server.url}${path}`));
      expect(outcome).toMatchObject({ status: 503, retryAfter: 20_000 });
    }
  });

  test('that is answered too late is lost, and one that can not be heard was not sent', async () => {
    const reached = Promise.withResolvers<void>();
    const server = await listening(() => reached.resolve());
    const { clock, http } = outgoing();
    const sending = http.send(post(server.url));
    await reached.promise;
    await clock.advance(15_000);
    expect(await sending).toEqual({ kind: 'lost', reason: 'timeout' });
    await server.close();
    closing.length = 0;
    const refused = { kind: 'not_sent', reason: 'connection refused' };
    expect(await http.send(post(server.url))).toEqual(refused);
    expect(clock.waiting).toBe(0);
  });

  test('of as many bytes as one may have is sent, and of one more is not', async () => {
    const server = await listening((_, response) => json(response, {}));
    const { http } = outgoing({ requestBytes: 10 });
    const outcomes = [
      await http.send(post(server.url, { body: 'ä'.repeat(5) })),
      await http.send(post(server.url, { body: `${'ä'.repeat(5)}.` })),
    ];
    expect(outcomes).toMatchObject([{ kind: 'answer' }, { kind: 'not_sent', reason: 'too large' }]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('the guard at the socket', () => {
  const tls = { key: certificates.key, cert: certificates.localhost };

  test('connects to the address that it checked, whatever its name stands for elsewhere', async () => {
    const server = await listening((_, response) => json(response, {}));
    const resolve = async () => [at('127.0.0.1')];
    const { http } = outgoing({ resolve });
    const outcome = await http.send(post(`http://peer.example:${server.port}/`));
    expect(outcome.kind).toBe('answer');
    expect(server.requests[0]?.headers.host).toBe(`peer.example:${server.port}`);
  });

  test('asks once for each request, and a name that flips to the inside gets nothing more', async () => {
    const server = await listening((_, response) => json(response, {}), { tls });
    const answers = [at('127.0.0.1'), at('169.254.169.254'), at('::ffff:169.254.169.254')];
    let asked = 0;
    const { http } = outgoing({
      allowPrivate: ['localhost'],
      ca: certificates.localhost,
      resolve: async () => answers.slice(asked, ++asked),
    });
    const request = post(`https://localhost:${server.port}/`);
    const send = () => http.send(request);
    const outcomes = [await send(), await send(), await send()];
    const refused = { kind: 'refused', objection: 'private address' };
    expect(outcomes).toMatchObject([{ kind: 'answer' }, refused, refused]);
    expect(asked).toBe(3);
    expect(server.connections()).toBe(1);
  });

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['93.184.215.14', '10.0.0.1'],
    ['2606:4700::1', '::1'],
    ['::ffff:93.184.215.14'],
    ['fd00::1'],
    ['100.64.0.1'],
    ['224.0.0.1'],
    ['0.0.0.0'],
    ['fe80::1%eth0'],
    ['not an address'],
  ])('lets no public name lead inside: %s', async (...addresses) => {
    const { http } = outgoing({ allowPrivate: false, resolve: async () => addresses.map(at) });
    const outcome = await http.send(post('https://peer.example/'));
    expect(outcome).toEqual({ kind: 'refused', objection: 'private address' });
  });

  test('sends nothing in clear to a public address, even where private ones are allowed', async () => {
    const { http } = outgoing({ resolve: async () => [at('93.184.215.14')] });
    const outcome = await http.send(post('http://peer.example/'));
    expect(outcome).toEqual({ kind: 'refused', objection: 'not https' });
  });

  test.each([
    ['http://peer.example/', 'not https'],
    ['https://jane:secret@peer.example/', 'credentials in url'],
    ['ftp://peer.example/', 'not https'],
    ['hook', 'bad url'],
    ['https://localhost/', 'private address'],
    ['https://[::1]:8443/', 'private address'],
    ['https://0x7f000001/', 'private address'],
  ] as const)('says of %s without a look-up: %s', async (url, objection) => {
    const resolve = () => Promise.reject(new Error('asked'));
    const { http } = outgoing({ allowPrivate: false, resolve });
    expect(http.objectionTo(url)).toBe(objection);
    expect(await http.send(post(url))).toEqual({ kind: 'refused', objection });
  });

  test('trusts no certificate but of the name that was asked for', async () => {
    const server = await listening((_, response) => json(response, {}), { tls });
    const { http } = outgoing({
      ca: certificates.localhost,
      resolve: async () => [at('127.0.0.1')],
    });
    const outcome = await http.send(post(`https://peer.example:${server.port}/`));
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'tls' });
    expect(server.requests).toEqual([]);
  });
});
