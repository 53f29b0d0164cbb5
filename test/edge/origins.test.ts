import { afterEach, describe, expect, test } from 'vitest';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { LOOPBACK_HOSTS } from '../../shared/http/guard.ts';
import { detailsOf, type Headers, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
afterEach(() => edge.close());

interface Heard {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** As a browser or a program sends it; fetch does not let a caller set Host. */
function call(method: string, path: string, headers: Headers, body?: object): Promise<Heard> {
  const { hostname, port } = new URL(edge.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers }, (answer) => {
      void text(answer).then((said) => {
        const json = said.startsWith('{');
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: json ? (JSON.parse(said) as Record<string, unknown>) : undefined,
        });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const V1 = { 'A2A-Version': '1.0' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a page of another site', () => {
  test.each(['https://evil.example', 'null', 'http://localhost:1'])(
    'of the origin %s is refused, whatever it calls',
    async (origin) => {
      edge = await edgeServer();
      for (const [method, path] of [
        ['GET', '/tasks'],
        ['GET', '/.well-known/agent-card.json'],
        ['POST', '/message:send'],
        ['POST', '/'],
      ] as const) {
        const headers = { ...V1, ...JSON_TYPE, Origin: origin };
        const answer = await call(method, path, headers, method === 'POST' ? say('hi') : undefined);
        expect(answer.status).toBe(403);
        expect(detailsOf(answer.body).reasons).toContain('holdfast/ORIGIN_REFUSED');
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
      expect(edge.service.sent).toEqual([]);
    },
  );

  test('gets nothing by a preflight, and a page of our own needs none', async () => {
    edge = await edgeServer();
    const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    expect((await call('OPTIONS', '/message:send', preflight)).status).toBe(403);
    const own = { ...V1, Origin: edge.url };
    expect((await call('GET', '/tasks', own)).status).toBe(200);
  });

  test('that is allowed asks first, and reads answers, streams and refusals', async () => {
    const origin = 'https://ui.example';
    edge = await edgeServer({ guard: { origins: [origin] } });
    const preflight = await call('OPTIONS', '/message:stream', {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'a2a-version,content-type',
    });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      origin,
    ]);
    expect(preflight.headers['access-control-allow-headers']).toContain('A2A-Version');
    const headers = { ...V1, ...JSON_TYPE, Origin: origin };
    for (const [path, status] of [
      ['/message:send', 200],
      ['/message:stream', 200],
      ['/nothing', 404],
    ] as const) {
      const answer = await call('POST', path, headers, say('hello'));
      expect(answer.status).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers['vary']).toContain('Origin');
    }
    const other = await call('GET', '/tasks', { ...V1, Origin: 'https://evil.example' });
    expect(other.status).toBe(403);
  });

  test('that is allowed gets a card that caches keep for its origin and version alone', async () => {
    const origin = 'https://ui.example';
    edge = await edgeServer({ guard: { origins: [origin] }, v03: true });
    const { headers } = await call('GET', '/.well-known/agent-card.json', { Origin: origin });
    expect(headers['vary']).toBe('Origin, A2A-Version');
  });

  test('of any site is allowed by *, and no cookie goes with it', async () => {
    edge = await edgeServer({ guard: { origins: ['*'] } });
    const answer = await call('GET', '/tasks', { ...V1, Origin: 'https://any.example' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('a name that was made to point here', () => {
  test('is refused where the names are known, with and without a port', async () => {
    edge = await edgeServer({ guard: { hosts: LOOPBACK_HOSTS } });
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example']) {
      const answer = await call('GET', '/tasks', { ...V1, Host: host });
      expect(answer.status).toBe(421);
      expect(detailsOf(answer.body).reasons).toContain('holdfast/HOST_REFUSED');
    }
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:8080', '[::1]:1', 'localhost.']) {
      expect((await call('GET', '/tasks', { ...V1, Host: host })).status).toBe(200);
    }
  });

  test('is taken where any name may be, as behind a proxy', async () => {
    edge = await edgeServer();
    expect((await call('GET', '/tasks', { ...V1, Host: 'agents.example' })).status).toBe(200);
  });
});

test('a body that does not say what it is is refused, on both bindings', async () => {
  edge = await edgeServer();
  for (const path of ['/', '/message:send']) {
    const answer = await call('POST', path, V1, say('hello'));
    const text = JSON.stringify(answer.body);
    expect(text).toContain('CONTENT_TYPE_NOT_SUPPORTED');
  }
  expect(edge.service.sent).toEqual([]);
});

test('OPTIONS says which methods a path takes', async () => {
  edge = await edgeServer();
  for (const [path, allow] of [
    ['/', 'POST, OPTIONS'],
    ['/tasks', 'GET, OPTIONS'],
    ['/message:send', 'POST, OPTIONS'],
    ['/tasks/x:subscribe', 'GET, POST, OPTIONS'],
    ['/.well-known/agent-card.json', 'GET, HEAD, OPTIONS'],
  ]) {
    const answer = await call('OPTIONS', path ?? '', {});
    expect([answer.status, answer.headers['allow']]).toEqual([204, allow]);
  }
  expect((await call('OPTIONS', '/nothing', {})).status).toBe(404);
});
