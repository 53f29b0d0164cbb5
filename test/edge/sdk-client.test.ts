import { type Message, Role, type StreamResponse, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EdgeServer, edgeServer } from './edge-server.ts';

interface Setting {
  readonly transport: 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
  readonly version: '1.0' | '0.3';
}

const settings: readonly Setting[] = [
  { transport: 'JSONRPC', version: '1.0' },
  { transport: 'HTTP+JSON', version: '1.0' },
  { transport: 'GRPC', version: '1.0' },
  { transport: 'JSONRPC', version: '0.3' },
  { transport: 'HTTP+JSON', version: '0.3' },
];

function message(text: string, taskId = ''): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId: '',
    taskId,
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function send(text: string, taskId = '', returnImmediately = false) {
  const configuration = {
    returnImmediately,
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    historyLength: undefined,
  };
  return { tenant: '', message: message(text, taskId), configuration, metadata: undefined };
}

async function connect(edge: EdgeServer, { transport, version }: Setting): Promise<Client> {
  const legacyCompat = { enabled: version === '0.3' };
  const factory = new ClientFactory({
    ...ClientFactoryOptions.default,
    transports: [
      new JsonRpcTransportFactory({ legacyCompat }),
      new RestTransportFactory({ legacyCompat }),
      new GrpcTransportFactory(),
    ],
    preferredTransports: [transport],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
  const resolver = new DefaultAgentCardResolver({ legacyCompat });
  const card = await resolver.resolve(edge.url);
  if (transport === 'GRPC') {
    const place = {
      url: edge.grpc,
      protocolBinding: transport,
      protocolVersion: version,
      tenant: '',
    };
    return factory.createFromAgentCard({ ...card, supportedInterfaces: [place] });
  }
  if (version === '1.0') return factory.createFromUrl(edge.url);
  // A client that knows both prefers 1.0, so a 0.3 one is shown only what it would know.
  const supportedInterfaces = card.supportedInterfaces.map((each) => ({
    ...each,
    protocolVersion: '0.3',
  }));
  return factory.createFromAgentCard({ ...card, supportedInterfaces });
}

async function collect(stream: AsyncIterable<StreamResponse>): Promise<string[]> {
  const kinds: string[] = [];
  for await (const { payload } of stream) kinds.push(payload?.$case ?? 'nothing');
  return kinds;
}

describe.each(settings)('the SDK client over $transport in $version', (setting) => {
  let edge: EdgeServer;
  let client: Client;
  beforeAll(async () => {
    edge = await edgeServer({ v03: true });
    client = await connect(edge, setting);
  });
  afterAll(() => edge.close());

  test('sends and gets the finished task with its artifact', async () => {
    const sent = await client.sendMessage(send('hello'));
    expect(sent).toMatchObject({
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ parts: [{ content: { $case: 'text', value: 'done: hello' } }] }],
      history: [{ role: Role.ROLE_USER }, { role: Role.ROLE_AGENT }],
    });
    const id = 'artifacts' in sent ? sent.id : '';
    expect(await client.getTask({ tenant: '', id, historyLength: 1 })).toMatchObject({
      history: [{ role: Role.ROLE_AGENT }],
    });
  });

  test('gets bytes and null data as the agent gave them', async () => {
    expect(await client.sendMessage(send('bytes'))).toMatchObject({
      artifacts: [{ parts: [{ content: { $case: 'raw', value: Buffer.from([0, 255, 16]) } }] }],
    });
    expect(await client.sendMessage(send('null'))).toMatchObject({ artifacts: [{}] });
  });

  test('gets a direct message', async () => {
    expect(await client.sendMessage(send('reply'))).toMatchObject({ role: Role.ROLE_AGENT });
    expect(await collect(client.sendMessageStream(send('reply')))).toEqual(['message']);
  });

  test('returns at once, then cancels, and can not cancel again', async () => {
    const sent = await client.sendMessage(send('hold', '', true));
    expect(sent).toMatchObject({ status: { state: TaskState.TASK_STATE_WORKING } });
    const id = 'artifacts' in sent ? sent.id : '';
    const cancel = { tenant: '', id, metadata: undefined };
    expect(await client.cancelTask(cancel)).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    });
    await expect(client.cancelTask(cancel)).rejects.toBeInstanceOf(TaskNotCancelableError);
  });

  test('answers a question on the same task', async () => {
    const asked = await client.sendMessage(send('ask'));
    expect(asked).toMatchObject({ status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } });
    const id = 'artifacts' in asked ? asked.id : '';
    const answered = await client.sendMessage(send('this one', id));
    expect(answered).toMatchObject({ id, status: { state: TaskState.TASK_STATE_COMPLETED } });
    await expect(client.sendMessage(send('more', id))).rejects.toBeInstanceOf(
      UnsupportedOperationError,
    );
  });

  test('streams a task to its end', async () => {
    const stream = client.sendMessageStream(send('hold'))[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ payload: { $case: 'task' } });
    edge.service.only().artifact('a', [{ text: 'one' }]);
    edge.service.only().to('COMPLETED');
    const rest = await collect({ [Symbol.asyncIterator]: () => stream });
    expect(rest).toEqual(['artifactUpdate', 'statusUpdate']);
  });

  test('subscribes to a task that waits, and sees it end', async () => {
    await client.sendMessage(send('ask'));
    const task = edge.service.only();
    const stream = client.resubscribeTask({ tenant: '', id: task.taskId })[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ payload: { $case: 'task' } });
    task.to('FAILED');
    expect(await collect({ [Symbol.asyncIterator]: () => stream })).toEqual(['statusUpdate']);
  });

  test('is told what is wrong', async () => {
    const get = client.getTask({ tenant: '', id: 'nope' });
    await expect(get).rejects.toBeInstanceOf(TaskNotFoundError);
    const empty = { ...send('hello'), message: { ...message('hello'), parts: [] } };
    await expect(client.sendMessage(empty)).rejects.toBeInstanceOf(RequestMalformedError);
    const push = { tenant: '', taskId: 'x', id: 'y' };
    const config = client.getTaskPushNotificationConfig(push);
    await expect(config).rejects.toBeInstanceOf(TaskNotFoundError);
    await expect(client.sendMessage(send('crash'))).rejects.toThrow(/failed to process/);
  });
});

// v0.3 has no ListTasks on these bindings.
test.each(settings.filter(({ version }) => version === '1.0'))(
  'the SDK client over $transport lists its tasks',
  async (setting) => {
    const edge = await edgeServer();
    const client = await connect(edge, setting);
    await client.sendMessage(send('hello'));
    await client.sendMessage(send('ask'));
    const page = await client.listTasks({
      tenant: '',
      contextId: '',
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageSize: 5,
      pageToken: '',
      historyLength: 0,
      statusTimestampAfter: undefined,
      includeArtifacts: false,
    });
    expect(page).toMatchObject({ tasks: [{}, {}], nextPageToken: '', pageSize: 5, totalSize: 2 });
    await edge.close();
  },
);
