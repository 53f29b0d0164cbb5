import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { request, rpc, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';
import { openStream } from './sse.ts';

let edge: EdgeServer;
let id = '';
beforeAll(async () => {
  edge = await edgeServer({ v03: true });
});
afterAll(() => edge.close());
beforeEach(async () => {
  await rpc(edge, 'SendMessage', { ...say('hold'), configuration: { returnImmediately: true } });
  id = edge.service.only().taskId;
});

const OLD = { 'A2A-Version': '' };
const unknown = '00000000-0000-4000-8000-000000000000';
const call = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 'x', method, params });
const message = (text: string, more: object = {}) => ({
  kind: 'message',
  messageId: 'm',
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...more,
});
const send = (body: unknown, headers = OLD) => request(edge, 'POST', '/', body, headers);

describe('a refused stream of v0.3 is a stream with the error as its one event (its section 3.3.1)', () => {
  test.each<[string, unknown, number]>([
    ['message/stream', { message: message('busy') }, -32_004],
    ['message/stream', { message: message('x', { role: 'agent' }) }, -32_602],
    ['message/stream', { message: message('crash') }, -32_603],
    ['tasks/resubscribe', { id: unknown }, -32_001],
    ['tasks/resubscribe', {}, -32_602],
    ['tasks/resubscribe', { id: 7 }, -32_602],
  ])('%s with %j is %i', async (method, params, code) => {
    const answer = await send(call(method, params));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(answer.text).toMatch(/^data: .*\n\n$/);
    const body: unknown = JSON.parse(answer.text.slice('data: '.length));
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 'x', error: { code } });
  });

  test('what HTTP itself must be told stays a plain answer', async () => {
    const refusing = await edgeServer({
      v03: true,
      access: {
        principalOf: () => Promise.resolve({ kind: 'unauthenticated', message: 'Who are you?' }),
      },
    });
    const body = call('message/stream', { message: message('hello') });
    const answer = await request(refusing, 'POST', '/', body, OLD);
    expect([answer.status, answer.body]).toMatchObject([401, { error: { code: -32_000 } }]);
    await refusing.close();
  });

  test('of 1.0 it is a plain answer, whatever the client takes', async () => {
    for (const headers of [{ Accept: 'text/event-stream' }, {}]) {
      const plain = await rpc(edge, 'SubscribeToTask', { id: unknown }, headers);
      expect(plain.body).toMatchObject({ error: { code: -32_001 } });
    }
  });
});

test('a fault in the middle of a stream over JSON-RPC is an event without a name', async () => {
  for (const [method, headers] of [
    ['tasks/resubscribe', OLD],
    ['SubscribeToTask', {}],
  ] as const) {
    const stream = await openStream(edge, '/', call(method, { id }), headers);
    await stream.next();
    edge.service.only().break(new Error('secret'));
    const event = await stream.next();
    expect(event?.event).toBeUndefined();
    expect(event?.data).toMatchObject({ jsonrpc: '2.0', id: 'x', error: { code: -32_603 } });
    await rpc(edge, 'SendMessage', { ...say('hold'), configuration: { returnImmediately: true } });
    id = edge.service.only().taskId;
  }
});

describe('`final` of v0.3 says that the stream ends with this event', () => {
  test("a sender's stream that ends where input is required says so there", async () => {
    const stream = await openStream(
      edge,
      '/',
      call('message/stream', { message: message('hold') }),
      OLD,
    );
    await stream.next();
    edge.service.only().to('AUTH_REQUIRED');
    edge.service.only().to('WORKING');
    edge.service.only().to('INPUT_REQUIRED', 'Which?');
    const finals = (await stream.rest()).map(({ data }) => {
      const { final, status } = data['result'] as { final: boolean; status: { state: string } };
      return [status.state, final];
    });
    expect(finals).toEqual([
      ['auth-required', false],
      ['working', false],
      ['input-required', true],
    ]);
  });

  test("a subscriber's stays open there and ends with the terminal state", async () => {
    const stream = await openStream(edge, `/v1/tasks/${id}:subscribe`, undefined, OLD);
    await stream.next();
    edge.service.only().to('INPUT_REQUIRED', 'Which?');
    edge.service.only().to('COMPLETED');
    const events = (await stream.rest()).map(({ data }) => data['statusUpdate']);
    expect(events[0]).not.toHaveProperty('final');
    expect(events[1]).toMatchObject({ final: true });
  });
});

describe('HTTP+JSON of v0.3', () => {
  const content = [{ text: 'hello' }];
  const body = { message: { messageId: 'm', role: 'ROLE_USER', content } };

  test('answers a send with 200', async () => {
    const answer = await request(edge, 'POST', '/v1/message:send', body, OLD);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
  });

  test('names an error as the clients of v0.3 look for it', async () => {
    const answer = await request(edge, 'GET', `/v1/tasks/${unknown}`, undefined, OLD);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      code: -32_001,
      message: 'Task not found.',
      type: 'TaskNotFoundError',
      error: 'io.a2a.spec.TaskNotFoundError',
    });
  });
});

describe('nothing that a client sends is a fault of this server', () => {
  const push = 'tasks/pushNotificationConfig';
  test.each<[string, unknown, number]>([
    [`${push}/set`, {}, -32_602],
    [`${push}/set`, { taskId: 7, pushNotificationConfig: null }, -32_602],
    [`${push}/list`, { id: { length: 1 } }, -32_602],
    ['message/send', { message: message('', { parts: [{ kind: 'data' }] }) }, -32_602],
    ['message/send', { message: message('', { parts: [{ kind: 'data', data: 7 }] }) }, -32_602],
    ['message/send', { message: message('x', { referenceTaskIds: { length: 1 } }) }, -32_602],
    ['message/send', { message: message('x', { extensions: 'all' }) }, -32_602],
    ['message/send', { message: message('x', { metadata: [1] }) }, -32_602],
    ['message/send', { message: { toString: 'a', parts: { length: 1 } } }, -32_602],
    ['message/send', { message: message('x'), configuration: [] }, -32_602],
    ['message/send', { message: message('x'), configuration: { blocking: 'yes' } }, -32_602],
    [
      'message/send',
      { message: message('x'), configuration: { pushNotificationConfig: { url: { a: 1 } } } },
      -32_602,
    ],
    ['tasks/get', { id: { toString: 'a' } }, -32_602],
    ['tasks/get', { id: ['x'] }, -32_602],
    ['tasks/cancel', { id: null }, -32_602],
  ])('v0.3 %s with %j is %i', async (method, params, code) => {
    expect((await send(call(method, params))).body).toMatchObject({ id: 'x', error: { code } });
  });

  test.each<[string, object, number]>([
    [
      'SendMessage',
      {
        ...say('x'),
        configuration: { taskPushNotificationConfig: { url: { toString: 'a' } } },
      },
      -32_602,
    ],
    ['SendMessage', say('x', { referenceTaskIds: { length: 1 } }), -32_602],
    ['SendMessage', say('x', { parts: { length: 1, 0: { text: 'a' } } }), -32_602],
    ['ListTasks', { pageToken: { toString: 'a' } }, -32_602],
    ['GetTask', { id: { toString: 'a' } }, -32_602],
    ['CreateTaskPushNotificationConfig', { url: { toString: 'a' }, taskId: 1 }, -32_602],
  ])('1.0 %s with %j is %i', async (method, params, code) => {
    expect((await rpc(edge, method, params)).body).toMatchObject({ error: { code } });
  });

  test('and none of it is in the log as one', () => {
    const faults = edge.log.filter(({ event }) => event === 'a2a.fault');
    // Those that this file asks the fake application for.
    expect(faults.map(({ fields }) => fields?.['operation'])).toEqual([
      'message/stream',
      'tasks/resubscribe',
      'SubscribeToTask',
    ]);
  });
});

test('content goes through v0.3 and back as it was sent', async () => {
  const parts = [
    { kind: 'text', text: 'a', metadata: { k: 1 } },
    { kind: 'file', file: { bytes: 'AP8Q', mimeType: 'image/png', name: 'a.png' } },
    { kind: 'file', file: { uri: 'https://example.com/a' } },
    { kind: 'data', data: { nested: [1, null] } },
    { kind: 'data', data: { value: [1, 2] }, metadata: { data_part_compat: true } },
  ];
  const sent = await send(call('message/send', { message: message('', { parts }) }));
  expect(sent.body).toMatchObject({ result: { kind: 'task', history: [{ parts }, {}] } });
  expect(edge.service.sent.at(-1)?.request.message.parts.at(-1)).toEqual({ data: [1, 2] });
  const content = [
    { text: 'a', metadata: { k: 1 } },
    { file: { fileWithBytes: 'AP8Q', mimeType: 'image/png', name: 'a.png' } },
    { file: { fileWithUri: 'https://example.com/a' } },
    { data: { data: { nested: [1, null] } } },
  ];
  const body = { message: { messageId: 'm', role: 'ROLE_USER', content } };
  const rest = await request(edge, 'POST', '/v1/message:send', body, OLD);
  expect(rest.body).toMatchObject({ task: { history: [{ content }, {}] } });
});
