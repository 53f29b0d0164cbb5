import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { cardOf } from '../../test/fixtures/remotes/peer-server.ts';
import { outgoing, remoteAt } from '../../test/fixtures/remotes/remote.ts';
import {
  acknowledgement,
  adapter,
  certificates,
  misconfigured,
  scriptedRemote,
  type Script,
} from '../../test/fixtures/remotes/scripted-remote.ts';
import { json, type WebRequest } from '../../test/fixtures/remotes/web-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const sent = ({ requests }: { readonly requests: readonly WebRequest[] }) =>
  requests.filter(({ url }) => url !== '/card');

/** A remote that would take everything. */
async function willing(script: Script = {}) {
  const server = await scriptedRemote((request, response) => {
    json(response, acknowledgement(request));
  }, script);
  closing.push(() => server.close());
  return server;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

describe('no byte of a message leaves', () => {
  test('when the name of the remote stands for nothing', async () => {
    const { agents } = adapter({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    const remote = remoteAt('https://peer.example/card');
    expect(await agents.send(remote, outgoing())).toEqual({ kind: 'not_sent', reason: 'dns' });
  });

  test("when the system's resolver does not know it", async () => {
    const remote = remoteAt('https://nobody.invalid/card');
    const outcome = await adapter().agents.send(remote, outgoing());
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'dns' });
  });

  test('when the connection for it is refused though the card came', async () => {
    const { remote, ...server } = await willing();
    const { agents } = adapter();
    expect((await agents.send(remote, outgoing())).kind).toBe('acknowledged');
    await server.close();
    closing.length = 0;
    const outcome = await agents.send(remote, outgoing());
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'connection refused' });
  });

  test.each([
    ['no authority we know has signed its certificate', 'localhost', undefined],
    ['its certificate is for another host', 'otherHost', certificates.otherHost],
  ] as const)('when %s', async (_, cert, ca) => {
    const server = await willing({ tls: { key: certificates.key, cert: certificates[cert] } });
    const { agents } = adapter(ca === undefined ? {} : { ca });
    const outcome = await agents.send(server.remote, outgoing());
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'tls' });
    expect(server.requests).toEqual([]);
  });

  test('when it does not speak TLS', async () => {
    const server = await willing();
    const remote = remoteAt(server.remote.card.replace('http:', 'https:'));
    const outcome = await adapter().agents.send(remote, outgoing());
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'tls' });
  });

  test('when TLS is not through before the deadline', async () => {
    const reached = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      reached.resolve();
    });
    const port = await listening(silent);
    const { agents, clock } = adapter();
    const sending = agents.send(remoteAt(`https://127.0.0.1:${port}/card`), outgoing());
    await reached.promise;
    await clock.advance(30_000);
    expect(await sending).toEqual({ kind: 'not_sent', reason: 'timeout' });
    expect(clock.waiting).toBe(0);
  });

  test('when the resolver does not answer before the deadline', async () => {
    const { agents, clock } = adapter({ resolve: () => new Promise(() => undefined) });
    const sending = agents.send(remoteAt('https://peer.example/card'), outgoing());
    await clock.untilWaiting(1);
    await clock.advance(30_000);
    expect(await sending).toEqual({ kind: 'not_sent', reason: 'timeout' });
  });

  test('when the secret is not there', async () => {
    const credential = { scheme: 'Bearer', secret: 'PEER_TOKEN' };
    const server = await willing({ declared: { credential } });
    const outcome = await adapter().agents.send(server.remote, outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'no credential', 'PEER_TOKEN'));
    expect(server.requests).toEqual([]);
  });

  test('when the secret would begin another header', async () => {
    const credential = { scheme: 'Bearer', secret: 'PEER_TOKEN' };
    const server = await willing({ declared: { credential } });
    const { agents } = adapter({ secrets: () => 'x\r\nhost: elsewhere' });
    const outcome = await agents.send(server.remote, outgoing());
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'bad header' });
    expect(server.requests).toEqual([]);
  });

  test.each(['HTTP+JSON', 'JSONRPC'] as const)(
    'when an id would be another path or header (%s)',
    async (binding) => {
      const server = await willing({ binding });
      const { agents } = adapter();
      for (const taskId of ['..', '.', '', 'a\r\nx: y', 'a\u0000', '\ud800', 'x'.repeat(257)]) {
        const operation = { taskId, contextId: 'c' };
        const nothing = { reason: 'bad request' };
        expect(await agents.poll(server.remote, operation)).toEqual({ kind: 'failed', ...nothing });
        expect(await agents.cancel(server.remote, operation)).toEqual({
          kind: 'not_sent',
          ...nothing,
        });
      }
      expect(sent(server)).toEqual([]);
    },
  );
});

describe('the guard', () => {
  test('lets nothing through to where a name leads inside', async () => {
    const server = await willing();
    const { port } = server;
    for (const allowPrivate of [false, ['other.example']]) {
      const remote = remoteAt(`https://localhost:${port}/card`);
      const outcome = await adapter({ allowPrivate }).agents.send(remote, outgoing());
      expect(outcome).toEqual(misconfigured('not_sent', 'private address', '--remote-private'));
    }
    expect(server.connections()).toBe(0);
  });

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/',
    'https://10.1.2.3/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
  ])('lets nothing through to %s', async (card) => {
    const { agents } = adapter({ allowPrivate: false });
    const outcome = await agents.send(remoteAt(card), outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'private address', '--remote-private'));
  });

  test('lets no host through that has one private address among public ones', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const { agents } = adapter({ allowPrivate: false, resolve });
    const outcome = await agents.send(remoteAt('https://peer.example/card'), outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'private address', '--remote-private'));
  });

  test('opens no metadata address, even where everything is allowed', async () => {
    const { agents } = adapter({
      allowPrivate: true,
      resolve: async () => [{ address: '169.254.169.254', family: 4 }],
    });
    const outcome = await agents.send(remoteAt('http://metadata.google.internal/'), outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'private address', '--remote-private'));
  });

  test('looks at the address of each connection: a name that flips after the card gets nothing', async () => {
    const server = await willing({
      tls: { key: certificates.key, cert: certificates.localhost },
      card: (url) => cardOf(`${url.replace('127.0.0.1', 'localhost')}/a2a`, 'JSONRPC'),
    });
    let asked = 0;
    const { agents } = adapter({
      ca: certificates.localhost,
      allowPrivate: ['127.0.0.1', 'peer=localhost'],
      resolve: async () => {
        asked += 1;
        return [{ address: '169.254.169.254', family: 4 }];
      },
    });
    const outcome = await agents.send(server.remote, outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'private address', '--remote-private'));
    expect(asked).toBe(1);
    expect(sent(server)).toEqual([]);
  });

  test.each([
    ['not https', () => 'http://peer.example/a2a'],
    ['with credentials in it', (url: string) => url.replace('//', '//jane:secret@')],
    ['no URL', () => 'nowhere'],
  ])('takes no interface of a card that is %s', async (_, change) => {
    const tls = { key: certificates.key, cert: certificates.localhost };
    const server = await willing({ tls, card: (url) => cardOf(change(url), 'JSONRPC') });
    const { agents } = adapter({ ca: certificates.localhost });
    const outcome = await agents.send(server.remote, outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'no usable interface', '--remote-private'));
    expect(sent(server)).toEqual([]);
  });

  test('takes no interface at a private host that is another remote, unless it is allowed for this one', async () => {
    const other = await willing();
    const server = await willing({ card: () => cardOf(`${other.url}/a2a`, 'JSONRPC') });
    const send = (more: readonly string[]) =>
      adapter({ allowPrivate: ['127.0.0.1', ...more] }).agents.send(server.remote, outgoing());
    expect(await send([`other=${new URL(other.url).host}`])).toEqual(
      misconfigured('not_sent', 'no usable interface', '--remote-private'),
    );
    expect(other.connections()).toBe(0);
    const allowed = await send([`${server.remote.name}=${new URL(other.url).host}`]);
    expect(allowed.kind).not.toBe('not_sent');
    expect(other.connections()).toBe(1);
  });

  test('takes no card but by https', async () => {
    const { agents } = adapter();
    const outcome = await agents.send(remoteAt('http://peer.example/card'), outgoing());
    expect(outcome).toEqual(misconfigured('not_sent', 'not https', '--remote-private'));
  });

  test('lets a certificate that is in order through', async () => {
    const tls = { key: certificates.key, cert: certificates.localhost };
    const server = await willing({ tls });
    const allowPrivate = ['127.0.0.1', 'localhost', 'peer=127.0.0.1'];
    const { agents } = adapter({ ca: certificates.localhost, allowPrivate });
    expect((await agents.send(server.remote, outgoing())).kind).toBe('acknowledged');
    const named = remoteAt(server.remote.card.replace('127.0.0.1', 'localhost'));
    expect((await agents.send(named, outgoing())).kind).toBe('acknowledged');
  });
});
