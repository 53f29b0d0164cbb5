import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { cardOf } from '../../test/fixtures/remotes/peer-server.ts';
import { outgoing, remoteAt } from '../../test/fixtures/remotes/remote.ts';
import {
  acknowledgement,
  adapter,
  misconfigured,
  scriptedRemote,
  type Script,
} from '../../test/fixtures/remotes/scripted-remote.ts';
import { json, startWebServer, type WebRequest } from '../../test/fixtures/remotes/web-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function willing(script: Script = {}) {
  const server = await scriptedRemote((request, response) => {
    json(response, acknowledgement(request));
  }, script);
  closing.push(() => server.close());
  return server;
}

const cards = ({ requests }: { readonly requests: readonly WebRequest[] }) =>
  requests.filter(({ url }) => url === '/card');
const calls = ({ requests }: { readonly requests: readonly WebRequest[] }) =>
  requests.filter(({ url }) => url !== '/card');

describe('a card', () => {
  test('is asked for once in five minutes', async () => {
    const server = await willing();
    const { agents, clock } = adapter();
    for (let n = 0; n < 3; n++) await agents.send(server.remote, outgoing());
    expect(cards(server)).toHaveLength(1);
    await clock.advance(5 * 60_000 - 1);
    await agents.send(server.remote, outgoing());
    expect(cards(server)).toHaveLength(1);
    await clock.advance(1);
    await agents.send(server.remote, outgoing());
    expect(cards(server)).toHaveLength(2);
  });

  test('is asked for again when the remote is not where it says', async () => {
    let moved = false;
    const server = await scriptedRemote(
      (request, response) => {
        if (request.url === (moved ? '/new' : '/old')) {
          json(response, acknowledgement(request));
        } else response.writeHead(404).end();
      },
      { card: (url) => cardOf(`${url}${moved ? '/new' : '/old'}`, 'JSONRPC') },
    );
    closing.push(() => server.close());
    const { agents } = adapter();
    expect((await agents.send(server.remote, outgoing())).kind).toBe('acknowledged');
    moved = true;
    expect((await agents.send(server.remote, outgoing())).kind).toBe('refused');
    expect((await agents.send(server.remote, outgoing())).kind).toBe('acknowledged');
  });

  test('of another credential is another card', async () => {
    const server = await willing();
    const { agents } = adapter({ secrets: (name) => name });
    for (const secret of ['A', 'B', 'A', 'B']) {
      const credential = { scheme: 'Bearer', secret };
      await agents.send({ ...server.remote, credential }, outgoing());
    }
    expect(cards(server).map(({ headers }) => headers.authorization)).toEqual([
      'Bearer A',
      'Bearer B',
    ]);
  });

  const broken = (respond: (response: ServerResponse) => unknown) => async () => {
    const server = await startWebServer((_, response) => void respond(response));
    closing.push(() => server.close());
    return remoteAt(`${server.url}/card`);
  };
  const page = (status: number, text: string, headers = {}) =>
    broken((response) => response.writeHead(status, headers).end(text));
  const type = { 'content-type': 'application/json' };

  test.each([
    ['is not there', page(404, ''), { reason: 'card: http 404', code: 404 }],
    [
      'is refused for now',
      page(429, '', { 'retry-after': '9' }),
      { reason: 'card: http 429', code: 429, retryAfter: 9_000 },
    ],
    ['fails', page(503, '<html>'), { reason: 'card: http 503', code: 503 }],
    [
      'leads elsewhere',
      page(302, '', { location: 'https://other.example/' }),
      { reason: 'card: http 302', code: 302 },
    ],
    ['is a web page', page(200, '<html>'), { reason: 'card: malformed' }],
    ['is a number', page(200, '7', type), { reason: 'no usable interface' }],
    ['is null', page(200, 'null', type), { reason: 'card: malformed' }],
    ['is empty', page(200, '{}', type), { reason: 'no usable interface' }],
    [
      'has strange interfaces',
      page(200, '{"supportedInterfaces":[7,null,{"url":{}}]}', type),
      { reason: 'card: malformed' },
    ],
    ['is too large', page(200, ' '.repeat(1024 * 1024 + 1), type), { reason: 'card: too large' }],
    ['is cut off', broken((response) => response.destroy()), { reason: 'card: no answer' }],
  ])('that %s: nothing of a message left, and a look failed', async (_, open, failure) => {
    const remote = await open();
    const { agents } = adapter();
    const operation = { taskId: 'task-1', contextId: 'c' };
    expect(await agents.send(remote, outgoing())).toEqual({ kind: 'not_sent', ...failure });
    expect(await agents.cancel(remote, operation)).toEqual({ kind: 'not_sent', ...failure });
    expect(await agents.poll(remote, operation)).toEqual({ kind: 'failed', ...failure });
    expect(await agents.find(remote, 'c')).toBeUndefined();
  });

  test.each([
    ['GRPC only', [['https://127.0.0.1/', 'GRPC', '1.0']]],
    ['a version that is not out yet', [['https://127.0.0.1/', 'JSONRPC', '2.0']]],
    ['a version that is long gone', [['https://127.0.0.1/', 'JSONRPC', '0.2.5']]],
  ] as const)('with %s has nothing for us', async (_, interfaces) => {
    const supportedInterfaces = interfaces.map(([url, protocolBinding, protocolVersion]) => ({
      url,
      protocolBinding,
      protocolVersion,
    }));
    const server = await willing({ card: () => ({ name: 'x', supportedInterfaces }) });
    const outcome = await adapter().agents.send(server.remote, outgoing());
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'no usable interface' });
  });

  test('of v0.3 is enough to know that nothing can be listed', async () => {
    const server = await willing({ card: (url) => cardOf(url, 'JSONRPC', { version: '0.3' }) });
    const { agents, log } = adapter();
    expect(await agents.find(server.remote, 'c')).toBeUndefined();
    expect(calls(server)).toEqual([]);
    expect(log.map(({ level }) => level)).toEqual(['debug']);
  });

  test('of which several interfaces are ours is used by its newest version, in its own order', async () => {
    const supportedInterfaces = (url: string) => [
      { url: `${url}/grpc`, protocolBinding: 'GRPC', protocolVersion: '1.0' },
      { url: `${url}/old`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: `${url}/new`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ];
    const server = await willing({
      card: (url) => ({ name: 'x', supportedInterfaces: supportedInterfaces(url) }),
    });
    await adapter().agents.send(server.remote, outgoing());
    expect(calls(server).map(({ url }) => url)).toEqual(['/rest/message:send']);
  });
});

describe('the time of a call', () => {
  test('is a third for the card, and the rest is left for what leaves', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await startWebServer(() => asked.resolve());
    closing.push(() => server.close());
    const { agents, clock } = adapter();
    const sending = agents.send(remoteAt(`${server.url}/card`), outgoing());
    await asked.promise;
    await clock.advance(10_000);
    expect(await sending).toEqual({ kind: 'not_sent', reason: 'card: timeout' });
    expect(clock.waiting).toBe(0);
  });
});

describe('credentials', () => {
  const credential = { scheme: 'Bearer', secret: 'TOKEN' };
  const secrets = (name: string) => (name === 'TOKEN' ? 's3cret\n' : undefined);

  test('go with card and call to the origin of the card', async () => {
    const server = await willing({ declared: { credential } });
    const { agents } = adapter({ secrets });
    expect((await agents.send(server.remote, outgoing())).kind).toBe('acknowledged');
    for (const { headers } of server.requests) {
      expect(headers.authorization).toBe('Bearer s3cret');
    }
    expect(server.requests).toHaveLength(2);
  });

  test('go nowhere that a card names', async () => {
    const other = await willing();
    const server = await willing({
      declared: { credential },
      card: () => cardOf(`${other.url}/a2a`, 'JSONRPC'),
    });
    const outcome = await adapter({ secrets }).agents.send(server.remote, outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'no usable interface', '--remote-private'));
    expect(other.connections()).toBe(0);
  });

  test('go to the origin that the declaration names, and not with the card then', async () => {
    const other = await willing();
    const server = await willing({
      declared: { credential: { ...credential, origin: other.url } },
      card: () => cardOf(`${other.url}/a2a`, 'JSONRPC'),
    });
    const outcome = await adapter({ secrets }).agents.send(server.remote, outgoing());
    expect(outcome.kind).toBe('acknowledged');
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer s3cret']);
  });

  test('where there are none, a card may name another origin', async () => {
    const other = await willing();
    const server = await willing({ card: () => cardOf(`${other.url}/a2a`, 'HTTP+JSON') });
    const allowPrivate = ['127.0.0.1', `peer=${new URL(other.url).host}`];
    const outcome = await adapter({ allowPrivate }).agents.send(server.remote, outgoing());
    expect(outcome.kind).toBe('acknowledged');
  });
});

describe('a request', () => {
  const push = { url: 'https://ours.example/push', token: 'proof' };

  test.each(['JSONRPC', 'HTTP+JSON'] as const)(
    'over %s carries our ids, asks for an answer at once, and is alone on its connection',
    async (binding) => {
      const server = await willing({ binding, push: true });
      const message = outgoing({ push });
      const { agents } = adapter();
      await agents.send(server.remote, message);
      await agents.send(server.remote, outgoing());
      const [first, second] = calls(server).map(({ body }) => {
        const parsed = JSON.parse(body);
        return parsed.params ?? parsed;
      });
      expect(first).toEqual({
        message: {
          messageId: message.messageId,
          contextId: message.contextId,
          role: 'ROLE_USER',
          parts: [{ text: 'Do it.' }],
        },
        configuration: {
          returnImmediately: true,
          historyLength: 0,
          taskPushNotificationConfig: push,
        },
      });
      expect(second.configuration).toEqual({ returnImmediately: true, historyLength: 0 });
      for (const { headers } of calls(server)) {
        expect(headers['a2a-version']).toBe('1.0');
        expect(headers.host).toBe(new URL(server.url).host);
      }
      expect(server.connections()).toBe(server.requests.length);
    },
  );

  test('asks for no push of a remote that does not say it can', async () => {
    const server = await willing();
    await adapter().agents.send(server.remote, outgoing({ push }));
    expect(calls(server)[0]?.body).not.toContain('push');
  });
});
