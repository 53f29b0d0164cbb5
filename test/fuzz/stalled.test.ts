import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../e2e/client.ts';
import { Oracle } from '../e2e/oracle.ts';
import { useFleet } from '../e2e/server.ts';

const fleet = useFleet();

const HEAD = 'POST /message:send HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json';
/** Each stops where a server waits for more. */
const BEGINNINGS = [
  '',
  'POST',
  HEAD,
  `${HEAD}\r\nA2A-Version: 1.0\r\nContent-Length: 1000\r\n\r\n{"message":`,
  `${HEAD}\r\nA2A-Version: 1.0\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":`,
  `${HEAD}\r\nA2A-Version: 1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`,
  'GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n',
];

test('connections that stall hold up no other caller, and not the end of the server', async () => {
  const server = await fleet.start({ store: 'embedded' });
  const [host = '', port = ''] = new URL(server.url).host.split(':');
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let at = 0; at < 210; at += 1) {
    const socket = connect(Number(port), host);
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(BEGINNINGS[at % BEGINNINGS.length] ?? '');
  }
  const session = connectHttp2(`http://${server.grpc}`);
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  for (let at = 0; at < 90; at += 1) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/lf.a2a.v1.A2AService/SendMessage',
      'content-type': 'application/grpc',
      'a2a-version': '1.0',
    });
    stream.on('error', () => undefined);
    stream.write(Buffer.from([0, 0, 0, 1, 0, 0x12]));
  }
  for (const binding of ['rest', 'grpc'] as const) {
    const task = await new Client(server, new Oracle(), binding).send('steps=1');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  }
  expect(await server.stop()).toBe(0);
});
