import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAccessOf } from '../../functions/access.ts';
import { accessSettings } from '../../functions/access-settings.ts';
import type { Operation } from '../../shared/a2a/schema.ts';
import { makeApiKey } from '../../shared/app/callers/manage-api-keys.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { type CountingBackend, countingBackend } from '../budgets/counting-backend.ts';
import { type Answer, request } from '../edge/calls.ts';
import { wholeGrpc } from './grpc-wire.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { useFleet } from './server.ts';

// G23: two callers with real keys, every operation, every binding and version. An operation that is
// added is a missing member of this table, which does not compile.

/** What a caller names of another: a task, and a context. */
interface Named {
  readonly task: string;
  readonly context: string;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** How an operation names something of another caller; undefined: a version does not have it. */
interface Row {
  readonly params: (named: Named) => object;
  readonly rest: (named: Named) => Asked;
  readonly old?: { readonly method: string; readonly params?: (named: Named) => object };
  readonly oldRest?: (named: Named) => Asked;
}

const part = { text: 'give' };
const message = (more: object) => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [part], ...more },
});
const oldMessage = (taskId: string) => ({
  message: {
    kind: 'message',
    messageId: randomUUID(),
    role: 'user',
    parts: [{ kind: 'text', text: 'give' }],
    taskId,
  },
});
const oldProto = (taskId: string) => ({
  message: { message_id: randomUUID(), role: 'ROLE_USER', content: [part], task_id: taskId },
});
const get = (path: string): Asked => ({ method: 'GET', path });
const post = (path: string, body: object = {}): Asked => ({ method: 'POST', path, body });
const configs = (task: string, id = '') =>
  `/tasks/${task}/pushNotificationConfigs${id === '' ? '' : `/${id}`}`;
const CONFIG = 'c1';
const url = 'https://hooks.example/a';

const ROWS: Readonly<Record<Operation, Row>> = {
  SendMessage: {
    params: ({ task }) => message({ taskId: task }),
    rest: ({ task }) => post('/message:send', message({ taskId: task })),
    old: { method: 'message/send', params: ({ task }) => oldMessage(task) },
    oldRest: ({ task }) => post('/v1/message:send', oldProto(task)),
  },
  SendStreamingMessage: {
    params: ({ task }) => message({ taskId: task }),
    rest: ({ task }) => post('/message:stream', message({ taskId: task })),
    old: { method: 'message/stream', params: ({ task }) => oldMessage(task) },
    oldRest: ({ task }) => post('/v1/message:stream', oldProto(task)),
  },
  GetTask: {
    params: ({ task }) => ({ id: task }),
    rest: ({ task }) => get(`/tasks/${task}`),
    old: { method: 'tasks/get' },
    oldRest: ({ task }) => get(`/v1/tasks/${task}`),
  },
  ListTasks: {
    params: ({ context }) => ({ contextId: context }),
    rest: ({ context }) => get(`/tasks?contextId=${context}`),
  },
  CancelTask: {
    params: ({ task }) => ({ id: task }),
    rest: ({ task }) => post(`/tasks/${task}:cancel`),
    old: { method: 'tasks/cancel' },
    oldRest: ({ task }) => post(`/v1/tasks/${task}:cancel`),
  },
  SubscribeToTask: {
    params: ({ task }) => ({ id: task }),
    rest: ({ task }) => post(`/tasks/${task}:subscribe`),
    old: { method: 'tasks/resubscribe' },
    oldRest: ({ task }) => post(`/v1/tasks/${task}:subscribe`),
  },
  CreateTaskPushNotificationConfig: {
    params: ({ task }) => ({ taskId: task, url }),
    rest: ({ task }) => post(configs(task), { url }),
    old: {
      method: 'tasks/pushNotificationConfig/set',
      params: ({ task }) => ({ taskId: task, pushNotificationConfig: { url } }),
    },
    oldRest: ({ task }) =>
      post(`/v1${configs(task)}`, { config: { push_notification_config: { url } } }),
  },
  GetTaskPushNotificationConfig: {
    params: ({ task }) => ({ taskId: task, id: CONFIG }),
    rest: ({ task }) => get(configs(task, CONFIG)),
    old: {
      method: 'tasks/pushNotificationConfig/get',
      params: ({ task }) => ({ id: task, pushNotificationConfigId: CONFIG }),
    },
    oldRest: ({ task }) => get(`/v1${configs(task, CONFIG)}`),
  },
  ListTaskPushNotificationConfigs: {
    params: ({ task }) => ({ taskId: task }),
    rest: ({ task }) => get(configs(task)),
    old: { method: 'tasks/pushNotificationConfig/list' },
    oldRest: ({ task }) => get(`/v1${configs(task)}`),
  },
  DeleteTaskPushNotificationConfig: {
    params: ({ task }) => ({ taskId: task, id: CONFIG }),
    rest: ({ task }) => ({ method: 'DELETE', path: configs(task, CONFIG) }),
    old: {
      method: 'tasks/pushNotificationConfig/delete',
      params: ({ task }) => ({ id: task, pushNotificationConfigId: CONFIG }),
    },
    oldRest: ({ task }) => ({ method: 'DELETE', path: `/v1${configs(task, CONFIG)}` }),
  },
  // Names nothing of a caller: both get the same.
  GetExtendedAgentCard: {
    params: () => ({}),
    rest: () => get('/extendedAgentCard'),
    old: { method: 'agent/getAuthenticatedExtendedCard', params: () => ({}) },
    oldRest: () => get('/v1/card'),
  },
};

const OPERATIONS = Object.keys(ROWS) as readonly Operation[];
const rpcBody = (method: string, params: object): Asked =>
  post('/', { jsonrpc: '2.0', id: 1, method, params });

/** What a binding sends for an operation; undefined where its version has no such operation. */
type Binding = (operation: Operation, named: Named) => Asked | undefined;

const BINDINGS: Readonly<Record<string, readonly [string, Binding]>> = {
  'JSON-RPC': ['1.0', (operation, named) => rpcBody(operation, ROWS[operation].params(named))],
  'HTTP+JSON': ['1.0', (operation, named) => ROWS[operation].rest(named)],
  'JSON-RPC of v0.3': [
    '0.3',
    (operation, named) => {
      const { old } = ROWS[operation];
      return old && rpcBody(old.method, old.params?.(named) ?? { id: named.task });
    },
  ],
  'HTTP+JSON of v0.3': ['0.3', (operation, named) => ROWS[operation].oldRest?.(named)],
};

const fleet = useFleet();
let system: InProcess;
let counted: CountingBackend;
let keys: Readonly<Record<'ada' | 'bob' | 'eve', string>>;

beforeAll(async () => {
  system = await startInProcess({
    folder: await fleet.folder(),
    idempotency: 'authenticated',
    v03: true,
    wrap: (backend) => {
      counted = countingBackend(backend);
      return counted;
    },
    access: (app) => openAccessOf(app, accessSettings(['keys'], undefined, false), 'signature', {}),
  });
  const made = async (owner: string, tenant = '') => {
    const key = await makeApiKey(system.app, { owner, tenant, label: '' }, 'test');
    if (isRefused(key)) throw new Error(key.message);
    return key.text;
  };
  // Eve is called as Ada is, in another tenant.
  keys = { ada: await made('ada'), bob: await made('bob'), eve: await made('ada', 'other') };
});
afterAll(() => system.close());

function ask(who: keyof typeof keys, version: string, asked: Asked): Promise<Answer> {
  const headers = { 'X-API-Key': keys[who], 'A2A-Version': version };
  return request(system, asked.method, asked.path, asked.body, headers);
}

/** A task of Ada's that waits for an answer, so that every operation could do something to it. */
async function adas(): Promise<Named> {
  const context = randomUUID();
  const script = { parts: [{ text: 'ask' }], contextId: context };
  const { body } = await ask('ada', '1.0', post('/message:send', message(script)));
  const { task } = body as { task: { id: string; status: { state: string } } };
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  const config = await ask('ada', '1.0', post(configs(task.id), { id: CONFIG, url }));
  expect(config.status, config.text).toBe(200);
  return { task: task.id, context };
}

const stored = ({ task }: Named) =>
  ask('ada', '1.0', get(`/tasks/${task}`)).then(({ text }) => text);

/** What an answer says, with what it names made equal, and what it cost of the store. */
async function measured(who: keyof typeof keys, version: string, asked: Asked, named: Named) {
  // Who calls is known by now, and costs no read.
  await ask(who, version, get('/tasks/x'));
  counted.counted();
  const { headers, status, text } = await ask(who, version, asked);
  const { reads, transactions, writes } = counted.counted();
  const said = text.replaceAll(named.task, '<task>').replaceAll(named.context, '<context>');
  return { status, said, type: headers.get('content-type'), reads, transactions, writes };
}

describe.each(Object.entries(BINDINGS))('over %s', (_, [version, binding]) => {
  const rows = OPERATIONS.flatMap((operation) => {
    const here = binding(operation, { task: '', context: '' }) !== undefined;
    return here ? [operation] : [];
  });

  test.each(rows)(
    '%s of what is foreign answers as of what there is not, byte by byte and read by read',
    async (operation) => {
      const hers = await adas();
      const nothing = { task: randomUUID(), context: randomUUID() };
      const before = await stored(hers);
      for (const who of ['bob', 'eve'] as const) {
        const [foreign, absent] = [binding(operation, hers), binding(operation, nothing)];
        if (foreign === undefined || absent === undefined) throw new Error('no such operation');
        const found = await measured(who, version, foreign, hers);
        expect(found).toEqual(await measured(who, version, absent, nothing));
      }
      expect(await stored(hers)).toBe(before);
    },
  );

  test.each(rows)('%s is asked for who calls before anything else', async (operation) => {
    const named = { task: randomUUID(), context: randomUUID() };
    const asked = binding(operation, named);
    if (asked === undefined) throw new Error('no such operation');
    counted.counted();
    const headers = { 'A2A-Version': version };
    const answer = await request(system, asked.method, asked.path, asked.body, headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="a2a", header="X-API-Key"');
    expect(counted.counted()).toEqual({ reads: 0, writes: 0, transactions: 0 });
  });
});

describe('over gRPC', () => {
  /** Whatever comes of a call, and what that cost of the store. */
  async function measuredCall(
    who: keyof typeof keys | undefined,
    operation: Operation,
    named: Named,
  ): Promise<object> {
    // Who calls is known by now, and costs no read.
    await ask(who ?? 'eve', '1.0', get('/tasks/x'));
    counted.counted();
    const key: Record<string, string> = who === undefined ? {} : { 'x-api-key': keys[who] };
    const metadata = { 'a2a-version': '1.0', ...key };
    const said = await wholeGrpc(system.grpc, operation, ROWS[operation].params(named), metadata);
    const { reads, transactions, writes } = counted.counted();
    const text = JSON.stringify(said)
      .replaceAll(named.task, '<task>')
      .replaceAll(named.context, '<context>');
    return { text, reads, transactions, writes };
  }

  test.each(OPERATIONS)(
    '%s of what is foreign answers as of what there is not, and costs as much',
    async (operation) => {
      const hers = await adas();
      const nothing = { task: randomUUID(), context: randomUUID() };
      const before = await stored(hers);
      for (const who of ['bob', 'eve'] as const) {
        const found = await measuredCall(who, operation, hers);
        expect(found).toEqual(await measuredCall(who, operation, nothing));
      }
      expect(await stored(hers)).toBe(before);
    },
  );

  test.each(OPERATIONS)('%s is asked for who calls before anything else', async (operation) => {
    const named = { task: randomUUID(), context: randomUUID() };
    expect(await measuredCall(undefined, operation, named)).toMatchObject({
      text: expect.stringContaining('"code":16') as string,
      reads: 0,
      writes: 0,
      transactions: 0,
    });
  });
});

describe('what is named beside a task', () => {
  test('a reference to a foreign task opens nothing', async () => {
    const hers = await adas();
    const looked = async (id: string) => {
      const asked = message({ parts: [{ text: 'echo look' }], referenceTaskIds: [id] });
      const { body } = await ask('bob', '1.0', post('/message:send', asked));
      const { task } = body as { task: { artifacts?: { parts: unknown }[] } };
      return JSON.stringify(task.artifacts?.map(({ parts }) => parts)).replaceAll(id, '<id>');
    };
    expect(await looked(hers.task)).toBe(await looked(randomUUID()));
  });

  test('a foreign context is a new one: no earlier task of it is seen, and it is not busy', async () => {
    const { context } = await adas();
    const asked = message({ parts: [{ text: 'steps=1' }], contextId: context });
    const { body } = await ask('bob', '1.0', post('/message:send', asked));
    expect(body).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });
});

test('a retry of a caller with a key is one task, also of ten at once, and another body is refused', async () => {
  const sent = message({ parts: [{ text: 'steps=1' }] });
  const send = (body: object, who: keyof typeof keys = 'ada') =>
    ask(who, '1.0', post('/message:send', body));
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(sent)));
  const ids = answers.map(({ body }) => (body as { task: { id: string } }).task.id);
  expect(new Set(ids).size).toBe(1);
  const other = { message: { ...sent.message, parts: [{ text: 'steps=2' }] } };
  expect(await send(other)).toMatchObject({ status: 400 });
  const { body } = await send(other, 'bob');
  expect((body as { task: { id: string } }).task.id).not.toBe(ids[0]);
});
