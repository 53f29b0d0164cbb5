import { once } from 'node:events';
import { type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { decodeErrorInfo, decodeStatus } from '@a2a-js/sdk/errors/grpc';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import type { Json, JsonObject } from '../../shared/domain/json.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { decode, encode } from '../../shared/grpc/codec.ts';
import { request, say } from '../edge/calls.ts';
import { echo, type EdgeServer, edgeServer } from '../edge/edge-server.ts';

const SERVICE = '/lf.a2a.v1.A2AService/';

async function serve(options: Partial<A2AAppOptions> = {}): Promise<EdgeServer> {
  const edge = await edgeServer(options);
  onTestFinished(() => edge.close());
  return edge;
}

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly messages: readonly Uint8Array[];
  readonly status: number;
  readonly message: string;
  /** Domain and reason of each ErrorInfo. */
  readonly reasons: readonly string[];
}

class Call {
  readonly stream: ClientHttp2Stream;
  readonly answer: Promise<Answer>;
  /** Messages so far. */
  readonly messages: Uint8Array[] = [];

  constructor(stream: ClientHttp2Stream) {
    this.stream = stream;
    this.answer = this.#read();
  }

  /** Until so many messages are there. */
  async messagesUntil(count: number): Promise<void> {
    while (this.messages.length < count) await once(this.stream, 'data');
  }

  async #read(): Promise<Answer> {
    const { stream } = this;
    let rest = Buffer.alloc(0);
    stream.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
        this.messages.push(rest.subarray(5, 5 + rest.readUInt32BE(1)));
        rest = rest.subarray(5 + rest.readUInt32BE(1));
      }
    });
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    stream.on('response', (given) => (headers = given));
    stream.on('trailers', (given) => (trailers = given));
    stream.on('error', () => undefined);
    if (!stream.closed) await once(stream, 'close');
    const end = trailers['grpc-status'] === undefined ? headers : trailers;
    const binary = end['grpc-status-details-bin'];
    const details =
      typeof binary === 'string' ? decodeStatus(Buffer.from(binary, 'base64')) : undefined;
    return {
      headers,
      messages: this.messages,
      status: Number(end['grpc-status']),
      message: decodeURIComponent(String(end['grpc-message'] ?? '')),
      reasons: (details?.details ?? [])
        .filter(({ typeUrl }) => typeUrl.endsWith('google.rpc.ErrorInfo'))
        .map(({ value }) => decodeErrorInfo(value))
        .map(({ domain, reason }) => `${domain}/${reason}`),
    };
  }
}

/** A call with whatever headers and bytes; without bytes it is left open. */
function open(
  { grpc }: EdgeServer,
  path: string,
  bytes: Uint8Array | undefined,
  headers: Readonly<Record<string, string>> = {},
): Call {
  const session = connect(`http://${grpc}`);
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    'a2a-version': '1.0',
    te: 'trailers',
    ...headers,
  });
  if (bytes !== undefined) stream.end(bytes);
  return new Call(stream);
}

function framed(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function call(
  edge: EdgeServer,
  operation: string,
  given: object,
  headers: Readonly<Record<string, string>> = {},
): Call {
  const type = operation === 'SendStreamingMessage' ? 'SendMessage' : operation;
  const message = encode(`lf.a2a.v1.${type}Request`, given as JsonObject);
  return open(edge, `${SERVICE}${operation}`, framed(message), headers);
}

function taskIn({ messages }: Answer): Readonly<Record<string, Json>> {
  const { task } = decode('lf.a2a.v1.SendMessageResponse', messages[0] ?? new Uint8Array());
  return task as JsonObject;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => void setImmediate(resolve));
}

describe('a call', () => {
  test('is answered with one message and the status OK', async () => {
    const answer = await call(await serve(), 'SendMessage', say('hello')).answer;
    expect(answer.headers).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc+proto',
    });
    expect([answer.status, answer.messages.length]).toEqual([0, 1]);
    expect(taskIn(answer)).toMatchObject({ artifacts: [{ parts: [{ text: 'done: hello' }] }] });
  });

  test('with a page size of 0 asks for no size, and with one beyond the bounds is refused', async () => {
    const edge = await serve();
    const list = (pageSize: number) => call(edge, 'ListTasks', { pageSize }).answer;
    const { messages, status } = await list(0);
    expect(status).toBe(0);
    expect(decode('lf.a2a.v1.ListTasksResponse', messages[0] ?? new Uint8Array())).toMatchObject({
      pageSize: 50,
    });
    expect((await list(101)).message).toContain('pageSize');
    expect((await list(-1)).message).toContain('pageSize');
  });

  test('may be compressed, and counts as large as it is then', async () => {
    const edge = await serve({ settings: { ...defaults, requestBody: 1_000 } });
    const send = (text: string) => encode('lf.a2a.v1.SendMessageRequest', say(text) as JsonObject);
    const gzip = { 'grpc-encoding': 'gzip' };
    const zipped = (text: string) => framed(gzipSync(send(text)), 1);
    const small = await open(edge, `${SERVICE}SendMessage`, zipped('hello'), gzip).answer;
    expect(small.status).toBe(0);
    const bomb = await open(edge, `${SERVICE}SendMessage`, zipped('x'.repeat(1_001)), gzip).answer;
    expect(bomb.reasons).toContain('holdfast/BODY_TOO_LARGE');
    const other = { 'grpc-encoding': 'snappy' };
    const unknown = await open(edge, `${SERVICE}SendMessage`, zipped('hello'), other).answer;
    expect([unknown.status, unknown.headers['grpc-accept-encoding']]).toEqual([
      12,
      'identity,deflate,gzip',
    ]);
    const broken = framed(Buffer.from('no gzip'), 1);
    expect((await open(edge, `${SERVICE}SendMessage`, broken, gzip).answer).status).toBe(3);
  });

  test('names an agent that is not at the root in its tenant, as that agent’s card says', async () => {
    const other = { ...echo, name: 'other' };
    const edge = await serve({ agents: [echo, other], grpc: { port: 8082 } });
    const { body } = await request(edge, 'GET', '/agents/other/.well-known/agent-card.json');
    expect(body?.['supportedInterfaces']).toContainEqual({
      url: '127.0.0.1:8082',
      tenant: 'agents/other',
      protocolBinding: 'GRPC',
      protocolVersion: '1.0',
    });
    await call(edge, 'SendMessage', { ...say('a'), tenant: 'agents/other/acme' }).answer;
    await call(edge, 'SendMessage', { ...say('b'), tenant: 'acme' }).answer;
    const seen = edge.service.sent.map(({ principal: { agent, tenant } }) => [agent, tenant]);
    expect(seen).toEqual([
      ['other', 'acme'],
      ['echo', 'acme'],
    ]);
    const none = await call(edge, 'SendMessage', { ...say('c'), tenant: 'agents/other-than-those' })
      .answer;
    expect([none.status, none.reasons]).toEqual([
      5,
      ['holdfast/ROUTE_NOT_FOUND', 'a2a-protocol.org/METHOD_NOT_FOUND'],
    ]);
  });

  test('has the extensions in effect in its metadata', async () => {
    const extensions = [{ uri: 'urn:x', description: 'x' }];
    const edge = await serve({ agents: [{ ...echo, extensions }] });
    const named = { 'a2a-extensions': 'urn:x, urn:y' };
    const answer = await call(edge, 'SendMessage', say('hello'), named).answer;
    expect(answer.headers['a2a-extensions']).toBe('urn:x');
  });
});

describe('is refused with a status, its details and no more:', () => {
  const ok = encode('lf.a2a.v1.GetTaskRequest', { id: 'x' });
  const deep = (levels: number): Json => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const cases: readonly [string, number, string, () => readonly [string, Uint8Array, object?]][] = [
    ['an unknown method', 12, 'METHOD_NOT_FOUND', () => [`${SERVICE}Nope`, framed(ok)]],
    ['another service', 12, 'METHOD_NOT_FOUND', () => ['/x.Y/GetTask', framed(ok)]],
    [
      'no version, which means 0.3',
      9,
      'VERSION_NOT_SUPPORTED',
      () => [`${SERVICE}GetTask`, framed(ok), { 'a2a-version': '' }],
    ],
    ['an unknown task', 5, 'TASK_NOT_FOUND', () => [`${SERVICE}GetTask`, framed(ok)]],
    ['a missing field', 3, 'INVALID_PARAMS', () => [`${SERVICE}GetTask`, framed(new Uint8Array())]],
    [
      'what is no message',
      3,
      'PARSE_ERROR',
      () => [`${SERVICE}GetTask`, framed(Buffer.from([0x12, 0xff]))],
    ],
    [
      'text that is no UTF-8',
      3,
      'PARSE_ERROR',
      () => [`${SERVICE}GetTask`, framed(Buffer.from([0x12, 2, 0xff, 0xfe]))],
    ],
    ['nothing at all', 3, 'PARSE_ERROR', () => [`${SERVICE}GetTask`, new Uint8Array()]],
    ['half a message', 3, 'PARSE_ERROR', () => [`${SERVICE}GetTask`, framed(ok).subarray(0, 6)]],
    [
      'two messages',
      3,
      'INVALID_REQUEST',
      () => [`${SERVICE}GetTask`, Buffer.concat([framed(ok), framed(ok)])],
    ],
    [
      'nesting over the limit',
      3,
      'INVALID_REQUEST',
      () => [
        `${SERVICE}CancelTask`,
        framed(encode('lf.a2a.v1.CancelTaskRequest', { id: 'x', metadata: { a: deep(103) } })),
      ],
    ],
    [
      'a length over the limit, before it arrives',
      3,
      'INVALID_REQUEST',
      () => [`${SERVICE}GetTask`, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1])],
    ],
    ['a fault', 13, 'INTERNAL_ERROR', () => [`${SERVICE}SendMessage`, sendOf('crash')]],
    ['an outage', 14, 'INTERNAL_ERROR', () => [`${SERVICE}SendMessage`, sendOf('unavailable')]],
  ];
  const sendOf = (text: string) =>
    framed(encode('lf.a2a.v1.SendMessageRequest', say(text) as JsonObject));

  test.each(cases)('%s (%i)', async (_, status, reason, given) => {
    const [path, bytes, headers] = given();
    const answer = await open(await serve(), path, bytes, { ...headers }).answer;
    expect([answer.status, answer.reasons.at(-1)]).toEqual([status, `a2a-protocol.org/${reason}`]);
    expect(answer.messages).toEqual([]);
    expect(answer.message).not.toMatch(/secret|\.ts/);
  });

  test('more values than a request may hold, before they are made', async () => {
    const edge = await serve({ settings: { ...defaults, requestValues: 20 } });
    const list = (data: readonly null[]) => {
      const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data }] };
      return open(
        edge,
        `${SERVICE}SendMessage`,
        framed(encode('lf.a2a.v1.SendMessageRequest', { message })),
      ).answer;
    };
    expect((await list(Array.from({ length: 30 }, () => null))).status).toBe(0);
    const over = await list(Array.from({ length: 50 }, () => null));
    expect([over.status, ...over.reasons]).toEqual([
      3,
      'holdfast/TOO_MANY_VALUES',
      'a2a-protocol.org/INVALID_REQUEST',
    ]);
    expect(over.message).toContain('more than 20 values');
  });

  test('more than the process may hold, until what it holds is answered', async () => {
    const edge = await serve({ settings: { ...defaults, requestBodies: 2_000 } });
    const half = open(edge, `${SERVICE}SendMessage`, undefined);
    half.stream.write(sendOf('x'.repeat(1_500)).subarray(0, 1_500));
    const refused = await sendUntil(edge, ({ status }) => status !== 0);
    expect(refused.reasons).toContain('holdfast/UNAVAILABLE');
    half.stream.close();
    await half.answer;
    expect((await sendUntil(edge, ({ status }) => status === 0)).status).toBe(0);
  });

  /** What one call does is seen by another as soon as its bytes have arrived. */
  async function sendUntil(edge: EdgeServer, wanted: (answer: Answer) => boolean): Promise<Answer> {
    for (;;) {
      const answer = await open(edge, `${SERVICE}SendMessage`, sendOf('y'.repeat(1_500))).answer;
      if (wanted(answer)) return answer;
    }
  }

  test.each([
    [415, { 'content-type': 'application/json' }],
    [405, { ':method': 'GET' }],
  ])('what is no gRPC, by HTTP’s status %i and before it ends', async (status, headers) => {
    const { headers: got } = await open(await serve(), `${SERVICE}GetTask`, undefined, headers)
      .answer;
    expect(got[':status']).toBe(status);
  });

  test('a caller who may not come in, before its message is read', async () => {
    const edge = await serve({
      access: {
        principalOf: () =>
          Promise.resolve({ kind: 'unauthenticated', message: 'Who?', challenge: 'Bearer' }),
      },
    });
    const { answer } = open(edge, `${SERVICE}GetTask`, undefined);
    expect(await answer).toMatchObject({ status: 16, headers: { 'www-authenticate': 'Bearer' } });
  });

  test('a caller who shows nothing, by the challenge of the extended card that known ones get', async () => {
    const description = 'A key.';
    const edge = await serve({
      agents: [{ ...echo, extended: { description: 'More of it.' } }],
      access: {
        principalOf: (headers) => {
          const [key] = headers['x-api-key'] ?? [];
          return Promise.resolve({ owner: key ?? '', authenticated: key !== undefined });
        },
        security: {
          schemes: { apiKey: { kind: 'apiKey', header: 'X-API-Key', description } },
          alternatives: [['apiKey'], []],
          challenge: 'ApiKey',
        },
      },
    });
    expect(await call(edge, 'GetExtendedAgentCard', {}).answer).toMatchObject({
      status: 16,
      headers: { 'www-authenticate': 'ApiKey' },
    });
    const { messages } = await call(edge, 'GetExtendedAgentCard', {}, { 'x-api-key': 'k' }).answer;
    expect(decode('lf.a2a.v1.AgentCard', messages[0] ?? new Uint8Array())).toMatchObject({
      description: 'More of it.',
      securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header' } } },
      supportedInterfaces: [{ protocolBinding: 'GRPC' }],
    });
  });

  test('a host that the server is not called by', async () => {
    const edge = await serve({ guard: { hosts: ['agents.example'] } });
    expect(await call(edge, 'GetTask', { id: 'x' }).answer).toMatchObject({ status: 7 });
    const named = { ':authority': 'agents.example:443' };
    expect(await call(edge, 'GetTask', { id: 'x' }, named).answer).toMatchObject({ status: 5 });
  });
});

describe('a stream', () => {
  test('says in each event where it is, and resumes behind one with the rest', async () => {
    const edge = await serve();
    const { stream, answer } = call(edge, 'SendStreamingMessage', say('ask'));
    const events = (await answer).messages.map((each) => decode('lf.a2a.v1.StreamResponse', each));
    const positions = events.flatMap((event) =>
      Object.values(event).map(
        (each) => ((each as JsonObject)['metadata'] as JsonObject)['eventId'],
      ),
    );
    expect(positions.length).toBeGreaterThan(0);
    expect(stream.rstCode).toBe(0);
    const task = edge.service.only();
    const resumed = call(edge, 'SubscribeToTask', { id: task.taskId }, { 'last-event-id': '1' });
    await resumed.messagesUntil(2);
    expect(edge.service.streams.at(-1)).toMatchObject({ afterSeq: 1 });
    task.to('COMPLETED');
    expect((await resumed.answer).status).toBe(0);
    const bad = call(edge, 'SubscribeToTask', { id: task.taskId }, { 'last-event-id': 'x' });
    expect((await bad.answer).status).toBe(3);
  });

  test('of a client that went away holds nothing', async () => {
    const edge = await serve();
    const held = call(edge, 'SendStreamingMessage', say('hold'));
    const { stream } = held;
    await held.messagesUntil(1);
    expect(edge.service.only().waiting).toBe(1);
    stream.close(8);
    await until(() => edge.service.only().waiting === 0);
  });

  test.each(['SendStreamingMessage', 'SendMessage'])(
    'or a call that waits ends at the deadline of its caller (%s)',
    async (operation) => {
      const edge = await serve();
      const { answer } = call(edge, operation, say('hold'), { 'grpc-timeout': '2S' });
      await until(() => edge.service.tasks.size > 0 && edge.service.only().waiting === 1);
      await edge.clock.advance(2_000);
      expect((await answer).status).toBe(4);
      await until(() => edge.service.only().waiting === 0);
    },
  );

  test('that ends as planned says so, and where to go on', async () => {
    const edge = await serve({ settings: { ...defaults, streamLife: 60_000, heartbeat: 600_000 } });
    const held = call(edge, 'SendStreamingMessage', say('hold'));
    await held.messagesUntil(1);
    await edge.clock.advance(60_000);
    const ended = await held.answer;
    expect([ended.status, ended.reasons[0]]).toEqual([14, 'holdfast/STREAM_OVER']);
    expect(edge.service.only().state).toBe('WORKING');
  });

  test('does not run ahead of a client that does not read', async () => {
    const edge = await serve({ settings: { ...defaults, streamBytes: 2 ** 30 } });
    const held = call(edge, 'SendStreamingMessage', say('hold'));
    const { stream } = held;
    await held.messagesUntil(1);
    stream.pause();
    const task = edge.service.only();
    const text = 'x'.repeat(500_000);
    for (let part = 0; part < 40; part += 1) task.artifact(`part-${part}`, [{ text }]);
    await new Promise((resolve) => void setImmediate(resolve));
    task.to('COMPLETED');
    let taken = 0;
    stream.on('data', (chunk: Buffer) => (taken += chunk.length));
    stream.resume();
    await once(stream, 'end');
    expect(taken).toBeGreaterThan(40 * 500_000);
  });
});

describe('a connection', () => {
  test('whose other side does not answer is gone, with its streams', async () => {
    const edge = await serve();
    const [host = '', port = ''] = edge.grpc.split(':');
    // Speaks HTTP/2 just enough to be one, and then never again.
    const socket = connectSocket(Number(port), host);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    socket.resume();
    await edge.clock.advance(defaults.heartbeat);
    await edge.clock.advance(defaults.heartbeat);
    await closed;
  });

  test('may ask whether the server serves', async () => {
    const closing = new AbortController();
    const edge = await serve({ closing: closing.signal });
    const check = async (service: string) => {
      const message = encode('grpc.health.v1.HealthCheckRequest', { service });
      const answer = await open(edge, '/grpc.health.v1.Health/Check', framed(message)).answer;
      return [answer.status, answer.messages[0]?.at(-1)];
    };
    expect(await check('')).toEqual([0, 1]);
    expect(await check('lf.a2a.v1.A2AService')).toEqual([0, 1]);
    expect(await check('x')).toEqual([5, undefined]);
    const broken = framed(Buffer.from([0x0a, 0xff]));
    expect((await open(edge, '/grpc.health.v1.Health/Check', broken).answer).status).toBe(3);
    closing.abort();
    expect(await check('')).toEqual([0, 2]);
  });
});
