import { beforeAll, describe, expect, test } from 'vitest';
import { request } from '../edge/calls.ts';
import { openStream } from '../edge/sse.ts';
import { type Server, useFleet } from './server.ts';

// What the kit for A2A v0.3 asks of a server that also speaks v0.3, kept without it. It sends no
// A2A-Version.

const fleet = useFleet();
let server: Server;
beforeAll(async () => {
  const agent = 'test/fixtures/agents/conformance.ts';
  server = await fleet.start({ args: ['--agents', agent, '--v0.3'] });
});

const OLD = { 'A2A-Version': '' };
let messages = 0;
const nextId = (prefix: string) => `${prefix}-message-id-${(messages += 1)}`;

interface LegacyTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
  readonly history?: readonly { readonly messageId: string }[];
}

/** The four operations in the two bindings, each with the words of its own. */
interface Legacy {
  readonly send: (message: object) => Promise<LegacyTask>;
  readonly get: (id: string, historyLength?: number) => Promise<LegacyTask>;
  readonly cancel: (id: string) => Promise<LegacyTask>;
  readonly message: (text: string, more?: object) => object;
  readonly states: { readonly asks: string; readonly canceled: string };
}

async function rpcResult(method: string, params: object): Promise<LegacyTask> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const answer = await request(server, 'POST', '/', body, OLD);
  if (answer.body?.['error'] !== undefined) throw new Error(answer.text);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { kind: 'task' } });
  return answer.body?.['result'] as LegacyTask;
}

const jsonrpc: Legacy = {
  send: (message) => rpcResult('message/send', { message }),
  get: (id, historyLength) => rpcResult('tasks/get', { id, historyLength }),
  cancel: (id) => rpcResult('tasks/cancel', { id }),
  message: (text, more = {}) => ({
    kind: 'message',
    messageId: nextId('text'),
    role: 'user',
    parts: [{ kind: 'text', text }],
    ...more,
  }),
  states: { asks: 'input-required', canceled: 'canceled' },
};

async function restResult(method: string, path: string, body?: unknown): Promise<LegacyTask> {
  const json = { ...OLD, 'Content-Type': 'application/json' };
  const answer = await request(server, method, path, body, json);
  if (answer.status >= 300) throw new Error(answer.text);
  return (answer.body?.['task'] ?? answer.body) as LegacyTask;
}

const rest: Legacy = {
  send: (message) => restResult('POST', '/v1/message:send', { message }),
  get: (id, length) =>
    restResult('GET', `/v1/tasks/${id}${length === undefined ? '' : `?history_length=${length}`}`),
  cancel: (id) => restResult('POST', `/v1/tasks/${id}:cancel`, ''),
  message: (text, more = {}) => ({
    message_id: nextId('text'),
    role: 'ROLE_USER',
    content: [{ text }],
    ...Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name.replace('Id', '_id'), value as unknown]),
    ),
  }),
  states: { asks: 'TASK_STATE_INPUT_REQUIRED', canceled: 'TASK_STATE_CANCELLED' },
};

describe.each([
  ['JSON-RPC', jsonrpc],
  ['HTTP+JSON', rest],
])('v0.3 over %s', (_binding, { send, get, cancel, message, states }) => {
  test('a message makes a task that can be asked for', async () => {
    const made = await send(message('Hello from TCK!'));
    expect(made.status.state).toBe(states.asks);
    expect(await get(made.id)).toMatchObject({ id: made.id, contextId: made.contextId });
  });

  test('a task is continued by its id, with and without its context', async () => {
    const { id: taskId, contextId } = await send(message('one'));
    expect((await send(message('two', { taskId }))).id).toBe(taskId);
    expect((await send(message('three', { taskId, contextId }))).id).toBe(taskId);
  });

  test('history is cut to the newest messages', async () => {
    const { id: taskId } = await send(message('one'));
    for (const text of ['two', 'three']) await send(message(text, { taskId }));
    expect((await get(taskId)).history?.length).toBeGreaterThan(2);
    expect((await get(taskId, 2)).history).toHaveLength(2);
  });

  test('an open task is cancelled, and then not cancelable', async () => {
    const { id } = await send(message('hello'));
    expect((await cancel(id)).status.state).toBe(states.canceled);
    await expect(cancel(id)).rejects.toThrow('-32002');
  });

  test('a text of a megabyte is taken', async () => {
    expect((await send(message('A'.repeat(1024 * 1024)))).status.state).toBe(states.asks);
  });
});

const call = (method: string, params: object) =>
  request(server, 'POST', '/', { jsonrpc: '2.0', id: 1, method, params }, OLD);

describe('v0.3 refusals', () => {
  test.each([
    ['tasks/get', { id: 'nonexistent-task-id' }, -32001],
    ['tasks/cancel', { id: 'nonexistent-task-id' }, -32001],
    ['tasks/get', { taskId: 12_345 }, -32602],
    ['message/send', { message: { kind: 'message' } }, -32602],
    ['message/send', { message: { parts: 'invalid' } }, -32602],
    ['message/send', { invalid: 'params' }, -32602],
    ['nonexistent/method', {}, -32601],
  ])('%s with %j is %i', async (method, params, code) => {
    expect((await call(method, params)).body).toMatchObject({ id: 1, error: { code } });
  });

  test('over HTTP+JSON an unknown task is 404, an empty message 400', async () => {
    for (const [method, path, body, status] of [
      ['GET', '/v1/tasks/no', undefined, 404],
      ['POST', '/v1/tasks/no:cancel', '', 404],
      ['POST', '/v1/message:send', { message: {} }, 400],
    ] as const) {
      expect((await request(server, method, path, body, OLD)).status).toBe(status);
    }
  });

  test('null in an optional field counts as left out', async () => {
    const nothing = { taskId: null, contextId: null, metadata: null };
    const { body } = await call('message/send', { message: jsonrpc.message('hello', nothing) });
    expect(body).toMatchObject({ result: { status: { state: 'input-required' } } });
  });
});

describe('v0.3 streams', () => {
  const parts = [{ kind: 'text', text: 'hello' }];
  const frame = { kind: 'message', role: 'user', parts };

  test('a resubscriber sees the task and its end, as the first stream does', async () => {
    const message = { ...frame, messageId: nextId('test-resubscribe-message-id') };
    const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } };
    const first = await openStream(server, '/', body, OLD);
    const made = (await first.next())?.data['result'] as LegacyTask | undefined;
    const id = made?.id ?? '';
    const again = { jsonrpc: '2.0', id: 2, method: 'tasks/resubscribe', params: { id } };
    const second = await openStream(server, '/', again, OLD);
    expect((await second.next())?.data).toMatchObject({ id: 2, result: { kind: 'task', id } });
    await jsonrpc.cancel(id);
    for (const stream of [first, second]) {
      const last = (await stream.rest()).at(-1)?.data;
      const wanted = { kind: 'status-update', taskId: id, status: { state: 'canceled' } };
      expect(last).toMatchObject({ result: { ...wanted, final: true } });
    }
  });

  test('resubscribing to an unknown task is a stream with an error that says so', async () => {
    const params = { id: 'non-existent-task-id' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params };
    const stream = await openStream(server, '/', body, OLD);
    const [event, ...more] = await stream.rest();
    const error = { code: -32001, message: expect.stringContaining('not found') as string };
    expect(event?.data).toMatchObject({ jsonrpc: '2.0', id: 1, error });
    expect(more).toEqual([]);
  });
});

describe('the card with v0.3 on (2)', () => {
  const CARD = '/.well-known/agent-card.json';

  test('without a version is one that v0.3 clients read', async () => {
    const { body } = await request(server, 'GET', CARD, undefined, OLD);
    const { url } = server;
    expect(body).toMatchObject({ url, preferredTransport: 'JSONRPC', capabilities: {} });
    expect(body?.['protocolVersion']).toMatch(/^0\.3/);
    expect(body?.['additionalInterfaces']).toContainEqual({ url, transport: 'HTTP+JSON' });
  });

  test('for 1.0 lists the 1.0 interfaces first', async () => {
    const { body } = await request(server, 'GET', CARD);
    // JSON-RPC, HTTP+JSON and gRPC; v0.3 has no gRPC here.
    const versions = ['1.0', '1.0', '1.0', '0.3', '0.3'];
    const supportedInterfaces = versions.map((protocolVersion) => ({ protocolVersion }));
    expect(body).toMatchObject({ supportedInterfaces });
  });
});
