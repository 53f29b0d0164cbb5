import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detailsOf, request, rpc, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
let ended = '';
let working = '';

beforeAll(async () => {
  edge = await edgeServer();
  await rpc(edge, 'SendMessage', say('hello'));
  ended = edge.service.only().taskId;
  await rpc(edge, 'SendMessage', { ...say('hold'), configuration: { returnImmediately: true } });
  working = edge.service.only().taskId;
});
afterAll(() => edge.close());

const unknown = '00000000-0000-4000-8000-000000000000';

interface Row {
  readonly title: string;
  readonly method: string;
  readonly params: () => object;
  readonly verb: string;
  readonly path: () => string;
  readonly code: number;
  readonly http: number;
  readonly status: string;
  readonly reasons: readonly string[];
}

const A2A = 'a2a-protocol.org';
const send = { method: 'SendMessage', verb: 'POST', path: () => '/message:send' };
const unsupported = { code: -32004, http: 400, status: 'FAILED_PRECONDITION' };
const noTask = {
  code: -32001,
  http: 404,
  status: 'NOT_FOUND',
  reasons: [`${A2A}/TASK_NOT_FOUND`],
};
const badUrl = {
  code: -32602,
  http: 400,
  status: 'INVALID_ARGUMENT',
  reasons: [`${A2A}/INVALID_PARAMS`],
};
const pushPath = () => `/tasks/${unknown}/pushNotificationConfigs`;
const pushParams = () => ({ taskId: unknown, id: 'c' });

const rows: readonly Row[] = [
  {
    title: 'an unknown task is not found',
    method: 'GetTask',
    params: () => ({ id: unknown }),
    verb: 'GET',
    path: () => `/tasks/${unknown}`,
    ...noTask,
  },
  {
    title: 'an id that is no task id is not found, never an internal error',
    method: 'GetTask',
    params: () => ({ id: '../x' }),
    verb: 'GET',
    path: () => '/tasks/..%2fx',
    ...noTask,
  },
  {
    title: 'an unknown task cannot be cancelled',
    method: 'CancelTask',
    params: () => ({ id: unknown }),
    verb: 'POST',
    path: () => `/tasks/${unknown}:cancel`,
    ...noTask,
  },
  {
    title: 'a subscription to an unknown task is a plain error, not a stream',
    method: 'SubscribeToTask',
    params: () => ({ id: unknown }),
    verb: 'POST',
    path: () => `/tasks/${unknown}:subscribe`,
    ...noTask,
  },
  {
    title: 'a subscription to an ended task is a plain error, not a stream',
    method: 'SubscribeToTask',
    params: () => ({ id: ended }),
    verb: 'GET',
    path: () => `/tasks/${ended}:subscribe`,
    ...unsupported,
    reasons: [`${A2A}/UNSUPPORTED_OPERATION`, 'holdfast/TASK_TERMINAL'],
  },
  {
    title: 'an ended task cannot be cancelled',
    method: 'CancelTask',
    params: () => ({ id: ended }),
    verb: 'POST',
    path: () => `/tasks/${ended}:cancel`,
    code: -32002,
    http: 400,
    status: 'FAILED_PRECONDITION',
    reasons: [`${A2A}/TASK_NOT_CANCELABLE`],
  },
  {
    title: 'an ended task takes no message',
    ...send,
    params: () => say('more', { taskId: ended }),
    ...unsupported,
    reasons: [`${A2A}/UNSUPPORTED_OPERATION`, 'holdfast/TASK_TERMINAL'],
  },
  {
    title: 'a task at work takes no message',
    ...send,
    params: () => say('more', { taskId: working }),
    ...unsupported,
    reasons: [`${A2A}/UNSUPPORTED_OPERATION`, 'holdfast/TASK_BUSY'],
  },
  {
    title: 'a busy context takes no further task',
    ...send,
    params: () => say('busy'),
    ...unsupported,
    reasons: [`${A2A}/UNSUPPORTED_OPERATION`, 'holdfast/CONTEXT_BUSY'],
  },
  {
    title: 'a publication that keeps no result takes no message',
    ...send,
    params: () => say('unstorable'),
    ...unsupported,
    reasons: [`${A2A}/UNSUPPORTED_OPERATION`, 'holdfast/RESULT_NOT_STORABLE'],
  },
  {
    title: 'a push config inside a send needs a URL',
    ...send,
    params: () => ({ ...say('hello'), configuration: { taskPushNotificationConfig: {} } }),
    ...badUrl,
  },
  {
    title: 'a push config is created for a task that is there',
    method: 'CreateTaskPushNotificationConfig',
    params: () => ({ ...pushParams(), url: 'https://example.com/hook' }),
    verb: 'POST',
    path: pushPath,
    ...noTask,
  },
  {
    title: 'a push config to create needs a URL',
    method: 'CreateTaskPushNotificationConfig',
    params: pushParams,
    verb: 'POST',
    path: pushPath,
    ...badUrl,
  },
  {
    title: 'push configs are listed of a task that is there',
    method: 'ListTaskPushNotificationConfigs',
    params: pushParams,
    verb: 'GET',
    path: pushPath,
    ...noTask,
  },
  {
    title: 'a push config is read of a task that is there',
    method: 'GetTaskPushNotificationConfig',
    params: pushParams,
    verb: 'GET',
    path: () => `${pushPath()}/c`,
    ...noTask,
  },
  {
    title: 'a push config is deleted of a task that is there',
    method: 'DeleteTaskPushNotificationConfig',
    params: pushParams,
    verb: 'DELETE',
    path: () => `${pushPath()}/c`,
    ...noTask,
  },
  {
    title: 'there is no extended card',
    method: 'GetExtendedAgentCard',
    params: () => ({}),
    verb: 'GET',
    path: () => '/extendedAgentCard',
    ...unsupported,
    reasons: [`${A2A}/UNSUPPORTED_OPERATION`],
  },
  {
    title: 'a fault of the server says nothing about itself',
    ...send,
    params: () => say('crash'),
    code: -32603,
    http: 500,
    status: 'INTERNAL',
    reasons: [`${A2A}/INTERNAL_ERROR`],
  },
  {
    title: 'a fault that passes asks for another try',
    ...send,
    params: () => say('unavailable'),
    code: -32603,
    http: 503,
    status: 'UNAVAILABLE',
    reasons: [`${A2A}/INTERNAL_ERROR`, 'holdfast/UNAVAILABLE'],
  },
];

describe('each error has its code, status and reasons on both bindings', () => {
  test.each(rows)('$title', async ({ method, params, verb, path, code, http, status, reasons }) => {
    const overRpc = await rpc(edge, method, params());
    expect(overRpc.status).toBe(200);
    expect(overRpc.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(overRpc.body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code, message: expect.any(String), data: expect.any(Array) },
    });
    expect(detailsOf(overRpc.body).reasons).toEqual(reasons);

    const overRest = await request(edge, verb, path(), verb === 'POST' ? params() : undefined);
    expect(overRest.status).toBe(http);
    expect(overRest.body).toEqual({
      error: { code: http, status, message: expect.any(String), details: expect.any(Array) },
    });
    expect(detailsOf(overRest.body).reasons).toEqual(reasons);
    for (const { text } of [overRpc, overRest]) {
      expect(text).not.toMatch(/secret|\.ts|at .*\(|node_modules/);
    }
  });

  test('a streaming send fails like a plain one, before any event', async () => {
    const answer = await rpc(edge, 'SendStreamingMessage', say('crash'));
    expect(answer.body).toMatchObject({ id: 1, error: { code: -32603 } });
    const rest = await request(edge, 'POST', '/message:stream', say('busy'));
    expect(rest.status).toBe(400);
    expect(detailsOf(rest.body).reasons).toContain('holdfast/CONTEXT_BUSY');
  });

  test('a fault that passes says when to come back', async () => {
    const answer = await request(edge, 'POST', '/message:send', say('unavailable'));
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('faults are logged by name, never by message', () => {
    const faults = edge.log.filter(({ event }) => event === 'a2a.fault');
    expect(faults.map(({ fields }) => fields?.['fault'])).toContain('Error');
    expect(JSON.stringify(edge.log)).not.toContain('secret');
  });
});
