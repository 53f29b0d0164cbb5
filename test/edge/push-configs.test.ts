import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Headers, request, rpc, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer({ v03: true });
});
afterAll(() => edge.close());

async function task(): Promise<string> {
  await rpc(edge, 'SendMessage', { ...say('ask') });
  return edge.service.only().taskId;
}

const V03: Headers = { 'A2A-Version': '0.3' };
const url = 'https://hooks.example/a';
const secrets = { token: 'secret-token', credentials: 'secret-credentials' };
const flat = {
  id: 'c',
  url,
  token: secrets.token,
  authentication: { scheme: 'Bearer', credentials: secrets.credentials },
};
const nested = {
  id: 'c',
  url,
  token: secrets.token,
  authentication: { schemes: ['Basic', 'Bearer'], credentials: secrets.credentials },
};
const shown = { id: 'c', url, authentication: { scheme: 'Bearer' } };
const shownBefore = { id: 'c', url, authentication: { schemes: ['Bearer'] } };

/** How one binding of one version says the four operations, and what it answers. */
interface Way {
  create(taskId: string): Promise<unknown>;
  get(taskId: string): Promise<unknown>;
  list(taskId: string): Promise<unknown>;
  remove(taskId: string): Promise<unknown>;
  one(taskId: string): unknown;
  all(taskId: string): unknown;
  readonly nothing: unknown;
}

async function called(method: string, params: object, headers?: Headers): Promise<unknown> {
  return (await rpc(edge, method, params, headers)).body?.['result'];
}

async function asked(method: string, path: string, body?: object, headers?: Headers) {
  return (await request(edge, method, path, body, headers)).body;
}

const at = (taskId: string, of = '') => `/tasks/${taskId}/pushNotificationConfigs${of}`;
const before = 'tasks/pushNotificationConfig';
const WAYS: Readonly<Record<string, Way>> = {
  'JSON-RPC in 1.0': {
    create: (taskId) => called('CreateTaskPushNotificationConfig', { taskId, ...flat }),
    get: (taskId) => called('GetTaskPushNotificationConfig', { taskId, id: 'c' }),
    list: (taskId) => called('ListTaskPushNotificationConfigs', { taskId }),
    remove: (taskId) => called('DeleteTaskPushNotificationConfig', { taskId, id: 'c' }),
    one: (taskId) => ({ taskId, ...shown }),
    all: (taskId) => ({ configs: [{ taskId, ...shown }], nextPageToken: '' }),
    nothing: {},
  },
  'HTTP+JSON in 1.0': {
    create: (taskId) => asked('POST', at(taskId), flat),
    get: (taskId) => asked('GET', at(taskId, '/c')),
    list: (taskId) => asked('GET', at(taskId)),
    remove: (taskId) => asked('DELETE', at(taskId, '/c')),
    one: (taskId) => ({ taskId, ...shown }),
    all: (taskId) => ({ configs: [{ taskId, ...shown }], nextPageToken: '' }),
    nothing: {},
  },
  'JSON-RPC in 0.3': {
    create: (taskId) => called(`${before}/set`, { taskId, pushNotificationConfig: nested }, V03),
    get: (id) => called(`${before}/get`, { id, pushNotificationConfigId: 'c' }, V03),
    list: (id) => called(`${before}/list`, { id }, V03),
    remove: (id) => called(`${before}/delete`, { id, pushNotificationConfigId: 'c' }, V03),
    one: (taskId) => ({ taskId, pushNotificationConfig: shownBefore }),
    all: (taskId) => [{ taskId, pushNotificationConfig: shownBefore }],
    nothing: null,
  },
  'HTTP+JSON in 0.3': {
    create: (taskId) =>
      asked('POST', `/v1${at(taskId)}`, { config: { push_notification_config: nested } }, V03),
    get: (taskId) => asked('GET', `/v1${at(taskId, '/c')}`, undefined, V03),
    list: (taskId) => asked('GET', `/v1${at(taskId)}`, undefined, V03),
    remove: (taskId) => asked('DELETE', `/v1${at(taskId, '/c')}`, undefined, V03),
    one: (taskId) => ({
      name: `tasks/${taskId}/pushNotificationConfigs/c`,
      pushNotificationConfig: shownBefore,
    }),
    all: (taskId) => ({
      configs: [
        {
          name: `tasks/${taskId}/pushNotificationConfigs/c`,
          pushNotificationConfig: shownBefore,
        },
      ],
      nextPageToken: '',
    }),
    nothing: {},
  },
};

describe.each(Object.entries(WAYS))('a push notification configuration over %s', (_, way) => {
  test('is created, read, listed and deleted twice, and its secrets never come back', async () => {
    const taskId = await task();
    const answers = [await way.create(taskId), await way.get(taskId), await way.list(taskId)];
    expect(answers).toEqual([way.one(taskId), way.one(taskId), way.all(taskId)]);
    for (const secret of Object.values(secrets))
      expect(JSON.stringify(answers)).not.toContain(secret);
    expect([await way.remove(taskId), await way.remove(taskId)]).toEqual([
      way.nothing,
      way.nothing,
    ]);
  });
});

test.each([
  ['1.0', 'SendMessage', { taskPushNotificationConfig: flat }],
  ['0.3', 'message/send', { pushNotificationConfig: nested }],
])(
  'one that comes with a message of %s reaches the application whole',
  async (version, method, configuration) => {
    const message =
      version === '1.0'
        ? say('hello').message
        : {
            kind: 'message',
            messageId: 'm-1',
            role: 'user',
            parts: [{ kind: 'text', text: 'hello' }],
          };
    await rpc(edge, method, { message, configuration }, { 'A2A-Version': version });
    expect(edge.service.sent.at(-1)?.request.webhook).toEqual({ ...flat, version });
  },
);

test('what only proto3 would write counts as absent: an empty id, an empty token, no authentication', async () => {
  const taskId = await task();
  const config = { id: '', url, token: '', authentication: {} };
  const made = await rpc(edge, `${before}/set`, { taskId, pushNotificationConfig: config }, V03);
  expect(made.body).toMatchObject({ result: { pushNotificationConfig: { url } } });
});
