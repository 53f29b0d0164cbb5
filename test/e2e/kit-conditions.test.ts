import { beforeAll, describe, expect, test } from 'vitest';
import { request, rpc } from '../edge/calls.ts';
import { BINDINGS, type Binding, Client, Refusal } from './client.ts';
import { namesOf, useOracle } from './oracle.ts';
import { type Server, useFleet } from './server.ts';
import { agentCard, restError, rpcError, streamResponse, task, taskPage } from './strict-wire.ts';
import { stateOf, textOf, type WirePart, type WireTask } from './wire.ts';

// What the official conformance kits ask of a server, kept without them: the numbers are those of
// their conditions.

const fleet = useFleet();
const oracle = useOracle();
const AGENT = ['--agents', 'test/fixtures/agents/conformance.ts', '--allow-private-webhooks'];
let server: Server;
beforeAll(async () => {
  server = await fleet.start({ args: AGENT });
});

const clientOf = (binding: Binding) => new Client(server, oracle, binding);

async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe.each(BINDINGS)('over %s', (binding) => {
  let client: Client;
  beforeAll(() => {
    client = clientOf(binding);
  });

  const file = { filename: 'output.txt', mediaType: 'text/plain' };
  test.each<[string, string, readonly WirePart[] | undefined]>([
    ['tck-complete-task', 'COMPLETED', undefined],
    ['tck-anything-else', 'COMPLETED', undefined],
    ['tck-input-required', 'INPUT_REQUIRED', undefined],
    ['tck-reject-task', 'REJECTED', undefined],
    ['tck-artifact-text', 'COMPLETED', [{ text: 'Generated text content' }]],
    ['tck-artifact-file', 'COMPLETED', [{ raw: expect.any(String) as string, ...file }]],
    ['tck-artifact-file-url', 'COMPLETED', [{ url: 'https://example.com/output.txt', ...file }]],
    ['tck-artifact-data', 'COMPLETED', [{ data: { key: 'value', count: 42 } }]],
  ])('%s ends %s with no field beyond the schema (9)', async (prefix, state, parts) => {
    const made = await client.send('hello', { messageId: `${prefix}-1` });
    expect(stateOf(task.parse(made) as WireTask)).toBe(state);
    expect(made.artifacts?.map((artifact) => artifact.parts)).toEqual(parts && [parts]);
    expect(task.parse(await client.get(made.id))).toEqual(made);
  });

  test('a completed task says what the kit wants to read, and a rejected one why', async () => {
    const complete = await client.send('hello', { messageId: 'tck-complete-task' });
    expect(textOf(complete.status.message)).toBe('Hello from TCK');
    const rejected = await client.send('hello', { messageId: 'tck-reject-task' });
    expect(textOf(rejected.status.message)).toBe('rejected');
  });

  test('an answer without a task is one message, also as a stream', async () => {
    const sending = { messageId: 'tck-message-response' };
    const message = {
      messageId: 'tck-message-response',
      role: 'ROLE_USER',
      parts: [{ text: 'a' }],
    };
    const answer = streamResponse.parse(await client.call('SendMessage', { message }));
    expect(answer).toMatchObject({ message: { parts: [{ text: 'Direct message response' }] } });
    const frames = await (await client.stream('a', sending)).all();
    expect(namesOf(frames)).toEqual(['message']);
  });

  test.each([
    ['tck-stream-001', ['artifact result', 'COMPLETED']],
    ['tck-stream-002', ['COMPLETED']],
    ['tck-stream-003', ['artifact result', 'COMPLETED']],
    ['tck-stream-ordering-001', ['artifact result', 'COMPLETED']],
    ['tck-stream-artifact-text', ['artifact result', 'COMPLETED']],
    ['tck-stream-artifact-file', ['artifact result', 'COMPLETED']],
    // Chunks that come at once may be shown together.
    ['tck-stream-artifact-chunked', ['artifact result', 'COMPLETED']],
  ])('the stream of %s begins with its task and ends with it', async (messageId, wanted) => {
    const stream = await client.stream('hello', { messageId });
    const [first, ...names] = namesOf(await stream.all());
    expect(first).toMatch(/^task /);
    // What happened before the stream opened is in the task that it begins with.
    const seen = [...new Set(names)].filter((name) => name !== 'WORKING');
    expect(seen).toEqual(wanted.slice(wanted.length - seen.length));
    expect(stream.terminal).toBe(true);
    for (const { event } of stream.frames) streamResponse.parse(event);
  });

  test('one messageId makes an independent task each time for callers without a name (1)', async () => {
    const sending = { messageId: 'tck-complete-task-reused' };
    const first = await client.send('one', sending);
    const second = await client.send('one', sending);
    const third = await client.send('another text', sending);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  });

  test('one messageId twice in one task, with other words, is two messages (1)', async () => {
    const messageId = 'tck-input-required-reused';
    const { id } = await client.send('zero', { messageId });
    for (const text of ['one', 'two']) await client.send(text, { messageId, taskId: id });
    const end = await client.send('end', { messageId: 'tck-complete-task', taskId: id });
    expect(stateOf(end)).toBe('COMPLETED');
    const said = end.history
      ?.filter(({ role }) => role === 'ROLE_USER')
      .map((each) => textOf(each));
    expect(said).toEqual(['zero', 'one', 'two', 'end']);
  });

  test('history is cut to the newest, and left out at 0', async () => {
    const { id } = await client.send('zero', { messageId: 'tck-input-required' });
    const sending = { messageId: 'tck-complete-task', taskId: id, historyLength: 0 };
    expect(await client.send('one', sending)).not.toHaveProperty('history');
    expect(await client.get(id, 0)).not.toHaveProperty('history');
    expect((await client.get(id, 1)).history).toHaveLength(1);
    expect((await client.get(id, 10)).history?.length).toBeGreaterThan(2);
  });

  test('a subscription to a task that asks stays open to its end, and all see the same (8)', async () => {
    const { id } = await client.send('hello', { messageId: 'tck-input-required' });
    const streams = [await client.subscribe(id), await client.subscribe(id)];
    const leaving = await client.subscribe(id);
    for (const stream of [...streams, leaving]) await stream.reach('task INPUT_REQUIRED');
    leaving.leave();
    await client.send('Complete', { messageId: 'tck-complete-task', taskId: id });
    const [one, two] = await Promise.all(streams.map((stream) => stream.all()));
    expect(namesOf(one ?? []).at(-1)).toBe('COMPLETED');
    expect(one?.map(({ seq, event }) => ({ seq, event }))).toEqual(
      two?.map(({ seq, event }) => ({ seq, event })),
    );
    expect((await refusalOf(client.subscribe(id))).code).toBe(-32004);
  });

  test('what is over takes no message, no cancellation and no subscriber', async () => {
    const { id } = await client.send('hello', { messageId: 'tck-complete-task' });
    const more = client.send('more', { messageId: 'tck-terminal', taskId: id });
    expect((await refusalOf(more)).code).toBe(-32004);
    expect((await refusalOf(client.cancel(id))).code).toBe(-32002);
    expect((await refusalOf(client.subscribe(id))).code).toBe(-32004);
  });

  test('an unknown task is -32001 for every operation', async () => {
    const calls = [client.get('tck-no'), client.cancel('tck-no'), client.subscribe('tck-no')];
    const refusals = await Promise.all(calls.map(refusalOf));
    expect(refusals.map(({ code }) => code)).toEqual([-32001, -32001, -32001]);
  });

  test('a message whose context is not its task’s is refused', async () => {
    const { id } = await client.send('hello', { messageId: 'tck-input-required' });
    const sending = { messageId: 'tck-mismatch', taskId: id, contextId: 'tck-wrong-context' };
    expect((await refusalOf(client.send('more', sending))).code).toBe(-32602);
  });

  test('a list holds the tasks of its context, newest first and without artifacts', async () => {
    const contextId = `tck-context-${binding}`;
    const sending = { messageId: 'tck-artifact-text', contextId };
    const made = [await client.send('one', sending), await client.send('two', sending)];
    const page = taskPage.parse(await client.list({ contextId }));
    expect(page.tasks.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
    expect(page).toMatchObject({ nextPageToken: '', totalSize: 2 });
    for (const row of page.tasks) expect(row).not.toHaveProperty('artifacts');
    const [first] = (await client.list({ contextId, pageSize: 1 })).tasks;
    expect(first?.id).toBe(made[1]?.id);
  });

  test('a push config of a task that has ended is kept and found, and no name is looked up (7)', async () => {
    const { id: taskId } = await client.send('hello');
    const config = { taskId, id: 'tck-push', url: 'https://example.com/tck-push-webhook' };
    expect(await client.call('CreateTaskPushNotificationConfig', config)).toEqual(config);
    const asked = { taskId, id: config.id };
    expect(await client.call('GetTaskPushNotificationConfig', asked)).toEqual(config);
    const listed = await client.call('ListTaskPushNotificationConfigs', { taskId });
    expect(listed).toEqual({ configs: [config], nextPageToken: '' });
    for (const time of ['first', 'second'])
      expect(await client.call('DeleteTaskPushNotificationConfig', asked), time).toEqual({});
    const gone = client.call('GetTaskPushNotificationConfig', asked);
    expect((await refusalOf(gone)).code).toBe(-32001);
  });
});

describe('the agent card (2)', () => {
  const CARD = '/.well-known/agent-card.json';

  test('without a version it is pure 1.0 and may be cached', async () => {
    const { body, headers } = await request(server, 'GET', CARD, undefined, { 'A2A-Version': '' });
    const card = agentCard.parse(body);
    expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true });
    const places = card.supportedInterfaces.map(({ url }) => url);
    expect(places).toEqual([server.url, server.url, ...(server.grpc === '' ? [] : [server.grpc])]);
    expect(headers.get('cache-control')).toMatch(/max-age=\d/);
    expect(headers.get('etag')).not.toBeNull();
    expect(headers.get('last-modified')).not.toBeNull();
  });
});

describe('JSON-RPC', () => {
  const message = { messageId: 'tck-complete-task', role: 'ROLE_USER', parts: [{ text: 'hello' }] };

  test('is taken with and without a trailing slash (3)', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    for (const path of ['', '/', '/agents/conformance', '/agents/conformance/']) {
      const answer = await request(server, 'POST', path, body);
      expect(answer.body).toMatchObject({ result: { task: {} } });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('in text/plain is -32005 (5)', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await request(server, 'POST', '/', "{'jsonrpc': '2.0'}", headers);
    expect(rpcError.parse(answer.body).error.code).toBe(-32005);
  });

  test('in version 99.0 is -32009 with the request’s id (6)', async () => {
    const answer = await rpc(server, 'SendMessage', { message }, { 'A2A-Version': '99.0' });
    expect(rpcError.parse(answer.body)).toMatchObject({ id: 1, error: { code: -32009 } });
  });

  test('names in snake_case are understood', async () => {
    const answer = await rpc(server, 'ListTasks', { context_id: 'tck-none', page_size: 2 });
    expect(answer.body).toMatchObject({ result: { tasks: [], pageSize: 2 } });
  });

  test('unknown extensions are ignored', async () => {
    const headers = { 'A2A-Extensions': 'https://example.com/ext/v1,https://example.com/ext/v2' };
    const answer = await rpc(server, 'SendMessage', { message }, headers);
    expect(answer.body).toMatchObject({ result: { task: {} } });
  });

  test.each([
    ['GetExtendedAgentCard', {}, -32004],
    ['CreateTaskPushNotificationConfig', { taskId: 't', url: 'https://example.com' }, -32001],
    ['GetTaskPushNotificationConfig', { task_id: 't', id: 'c' }, -32001],
    ['ListTaskPushNotificationConfigs', { task_id: 't' }, -32001],
    ['DeleteTaskPushNotificationConfig', { task_id: 't', id: 'c' }, -32001],
    ['NonExistentMethod', {}, -32601],
    ['SendMessage', {}, -32602],
  ])('%s with %j is %i', async (method, params, code) => {
    const answer = await rpc(server, method, params);
    expect(answer.status).toBe(200);
    expect(rpcError.parse(answer.body).error.code).toBe(code);
  });
});

describe('HTTP+JSON', () => {
  const body = {
    message: { messageId: 'tck-input-required', role: 'ROLE_USER', parts: [{ text: 'hello' }] },
  };
  const made = async () => (await clientOf('rest').send('hello', body.message)).id;
  const json = { 'Content-Type': 'application/json' };

  test('takes a cancellation with an empty body that calls itself JSON (4)', async () => {
    const answer = await request(server, 'POST', `/tasks/${await made()}:cancel`, '', json);
    expect(answer.status).toBe(200);
    expect(stateOf(task.parse(answer.body) as WireTask)).toBe('CANCELED');
  });

  test('subscribes by POST with an empty body that calls itself JSON, and by GET (4)', async () => {
    const id = await made();
    for (const method of ['POST', 'GET']) {
      const abort = new AbortController();
      const headers = { ...json, 'A2A-Version': '1.0', Accept: 'text/event-stream' };
      const url = `${server.url}/tasks/${id}:subscribe`;
      const response = await fetch(url, { method, headers, signal: abort.signal });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      abort.abort();
    }
  });

  test('of version 99.0 is 400 (6)', async () => {
    const answer = await request(server, 'POST', '/message:send', body, { 'A2A-Version': '99.0' });
    expect(answer.status).toBe(400);
    expect(restError.parse(answer.body).error.code).toBe(400);
  });

  test('in text/plain is 415 (5)', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await request(server, 'POST', '/message:send', JSON.stringify(body), headers);
    expect(answer.status).toBe(415);
    restError.parse(answer.body);
  });

  test.each([
    ['GET', '/tasks/tck-nonexistent', undefined, 404],
    ['POST', '/tasks/tck-nonexistent:cancel', undefined, 404],
    ['POST', '/message:send', {}, 400],
    ['GET', '/extendedAgentCard', undefined, 400],
    ['POST', '/tasks/t/pushNotificationConfigs', { url: 'https://example.com' }, 404],
    ['GET', '/tasks/t/pushNotificationConfigs', undefined, 404],
    ['GET', '/tasks/t/pushNotificationConfigs/c', undefined, 404],
    ['DELETE', '/tasks/t/pushNotificationConfigs/c', undefined, 404],
  ])('%s %s with %j is %i as google.rpc.Status', async (method, path, sent, status) => {
    const answer = await request(server, method, path, sent);
    expect(answer.status).toBe(status);
    expect(restError.parse(answer.body).error.code).toBe(status);
  });

  test.each([
    [{}, 'application/json'],
    [{ Accept: '*/*' }, 'application/json'],
    [{ Accept: 'application/json' }, 'application/json'],
    [{ Accept: 'application/a2a+json' }, 'application/a2a+json'],
    [{ 'Content-Type': 'application/a2a+json' }, 'application/a2a+json'],
  ])('asked with %j answers %s, errors too (10)', async (headers, type) => {
    const good = await request(server, 'POST', '/message:send', body, headers);
    const bad = await request(server, 'POST', '/message:send', {}, headers);
    expect([good.status, bad.status]).toEqual([200, 400]);
    for (const { headers: of } of [good, bad]) expect(of.get('content-type')).toContain(type);
  });
});
