import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { defaults } from '../../shared/domain/settings.ts';
import { detailsOf, request, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await edge.close();
});

/** A connection of one's own, for what no client library sends. */
async function raw(
  head: string,
): Promise<{ readonly socket: Socket; readonly text: () => string }> {
  const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    received += data;
  });
  socket.write(`${head}\r\nHost: localhost\r\nA2A-Version: 1.0\r\n\r\n`);
  return { socket, text: () => received };
}

const post = (path: string, headers: readonly string[]) =>
  raw([`POST ${path} HTTP/1.1`, 'Content-Type: application/json', ...headers].join('\r\n'));

/** Until the server has closed it, for which it gives its client a moment to read the answer. */
async function closed(socket: Socket): Promise<void> {
  const end = once(socket, 'end');
  await until(() => socket.bytesRead > 0);
  await edge.clock.advance(1_000);
  await end;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => void setImmediate(resolve));
}

describe('a body over the limit', () => {
  test.each(['/', '/message:send'])('that is announced to %s is refused unread', async (path) => {
    edge = await edgeServer({ settings: { ...defaults, requestBody: 1_000 } });
    const { socket, text } = await post(path, ['Content-Length: 1001']);
    await closed(socket);
    expect(text()).toMatch(/^HTTP\/1\.1 413 /);
    expect(text()).toContain('Connection: close');
    expect(text()).toContain('BODY_TOO_LARGE');
  });

  test('that never ends is answered at the limit, and its connection closed soon after', async () => {
    edge = await edgeServer({ settings: { ...defaults, requestBody: 1_000 } });
    const { socket, text } = await post('/message:send', ['Transfer-Encoding: chunked']);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    let sent = 0;
    // It may find the connection reset before it sees its end.
    const over = new Promise((resolve) => void socket.once('close', resolve));
    while (!socket.destroyed && sent < 64 * 1024 * 1024) {
      sent += chunk.length;
      if (!socket.write(chunk))
        await Promise.race([once(socket, 'drain').catch(() => undefined), over]);
    }
    await over;
    expect(text()).toContain('BODY_TOO_LARGE');
    // What lies in the buffers of both ends comes on top of what is thrown away.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test('counts as large as it is when it is decompressed', async () => {
    edge = await edgeServer({ settings: { ...defaults, requestBody: 1_000 } });
    const response = await fetch(`${edge.url}/message:send`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'A2A-Version': '1.0',
      },
      body: gzipSync(JSON.stringify(say('x'.repeat(100_000)))),
    });
    expect(response.status).toBe(413);
  });

  test('at the limit is taken, compressed or not', async () => {
    const body = JSON.stringify(say('hello'));
    edge = await edgeServer({ settings: { ...defaults, requestBody: body.length } });
    for (const encoding of ['identity', 'gzip']) {
      const response = await fetch(`${edge.url}/message:send`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Encoding': encoding,
          'A2A-Version': '1.0',
        },
        body: encoding === 'gzip' ? gzipSync(body) : body,
      });
      expect(response.status).toBe(200);
    }
  });
});

describe('the bodies that are held at a time', () => {
  const half = 500;

  test('have a bound over which a request is told to come again, and other requests go on', async () => {
    edge = await edgeServer({ settings: { ...defaults, requestBodies: 2 * half } });
    const slow = [
      await post('/message:send', ['Content-Length: 5000']),
      await post('/message:send', ['Content-Length: 5000']),
    ];
    for (const { socket } of slow) socket.write('x'.repeat(half));
    const body = JSON.stringify(say('hello'));
    let answer = await request(edge, 'POST', '/message:send', body);
    // The two may not have been read yet; once they are, nothing is left.
    while (answer.status === 200) answer = await request(edge, 'POST', '/message:send', body);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(detailsOf(answer.body).reasons).toContain('holdfast/UNAVAILABLE');
    expect((await request(edge, 'GET', '/tasks')).status).toBe(200);
    for (const { socket } of slow) socket.destroy();
    while (answer.status !== 200) answer = await request(edge, 'POST', '/message:send', body);
  });

  test('come to their end by turns when many come at once: some are taken, the others told to come again', async () => {
    const body = JSON.stringify(say('x'.repeat(200_000)));
    edge = await edgeServer({ settings: { ...defaults, requestBodies: 500_000 } });
    const many = await Promise.all(
      Array.from({ length: 5 }, () => post('/message:send', [`Content-Length: ${body.length}`])),
    );
    const answered = () => many.filter(({ text }) => text() !== '');
    for (const { socket } of many) socket.write(body.slice(0, 120_000));
    await until(() => answered().length > 0);
    for (const { socket } of many) socket.write(body.slice(120_000));
    await until(() => answered().length === many.length);
    const statuses = answered().map(({ text }) => text().slice(9, 12));
    expect([...new Set(statuses)].toSorted()).toEqual(['200', '503']);
  });

  test('are let go when a request is over, and at the bound itself it is taken', async () => {
    const body = JSON.stringify(say('hello'));
    edge = await edgeServer({ settings: { ...defaults, requestBodies: body.length } });
    for (let count = 0; count < 3; count++) {
      expect((await request(edge, 'POST', '/message:send', body)).status).toBe(200);
    }
  });

  test('that announce much and send nothing hold nothing', async () => {
    const body = JSON.stringify(say('hello'));
    edge = await edgeServer({ settings: { ...defaults, requestBodies: body.length } });
    await post('/message:send', ['Content-Length: 5000']);
    await until(() => edge.responses.length === 1);
    expect((await request(edge, 'POST', '/message:send', body)).status).toBe(200);
  });
});

describe('Expect', () => {
  test('100-continue is answered when the body is wanted, and a refusal comes without it', async () => {
    edge = await edgeServer({ settings: { ...defaults, requestBody: 1_000 } });
    const body = JSON.stringify(say('hello'));
    const wanted = await post('/message:send', [
      'Expect: 100-continue',
      `Content-Length: ${body.length}`,
    ]);
    await until(() => wanted.text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    wanted.socket.write(body);
    await until(() => wanted.text().includes('HTTP/1.1 200 OK'));
    const refused = await post('/message:send', ['Expect: 100-continue', 'Content-Length: 1001']);
    await closed(refused.socket);
    expect(refused.text()).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each(['/', '/message:send'])('of anything else to %s is refused in JSON', async (path) => {
    edge = await edgeServer();
    const { socket, text } = await post(path, ['Expect: a-miracle', 'Content-Length: 2']);
    await closed(socket);
    expect(text()).toMatch(/^HTTP\/1\.1 417 /);
    expect(text()).toContain('EXPECTATION_FAILED');
    expect(JSON.parse(text().split('\r\n\r\n')[1] ?? '')).toHaveProperty('error');
  });
});
