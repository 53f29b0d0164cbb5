import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detailsOf, request, rpc, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer({ v03: true });
});
afterAll(() => edge.close());

const part = (value: unknown) => say('', { parts: [value] });
const configured = (configuration: unknown) => ({ ...say('hello'), configuration });

describe('a bad send names its field on both bindings, and nothing is done', () => {
  test.each<[string, object, string]>([
    ['no message', {}, 'message'],
    ['a message that is no object', { message: 'hello' }, 'message'],
    ['no messageId', say('', { messageId: undefined }), 'message.messageId'],
    ['an empty messageId', say('', { messageId: '' }), 'message.messageId'],
    ['a messageId that is a number', say('', { messageId: 7 }), 'message.messageId'],
    ['a NUL in the messageId', say('', { messageId: 'a\0b' }), 'message.messageId'],
    ['a lone surrogate in the messageId', say('', { messageId: 'a\ud800' }), 'message.messageId'],
    ['a messageId of 257 characters', say('', { messageId: 'm'.repeat(257) }), 'message.messageId'],
    ['no role', say('', { role: undefined }), 'message.role'],
    ['the v0.3 name of the role', say('', { role: 'user' }), 'message.role'],
    ['the role of an agent', say('', { role: 'ROLE_AGENT' }), 'message.role'],
    ['an unknown role', say('', { role: 'alien' }), 'message.role'],
    ['no parts', say('', { parts: undefined }), 'message.parts'],
    ['empty parts', say('', { parts: [] }), 'message.parts'],
    ['parts that are no array', say('', { parts: { text: 'a' } }), 'message.parts'],
    ['null as a part', part(null), 'message.parts[0]'],
    ['a part without content', part({}), 'message.parts[0]'],
    ['a part with two contents', part({ text: 'a', url: 'https://a.example' }), 'message.parts[0]'],
    ['a text that is a number', part({ text: 7 }), 'message.parts[0].text'],
    ['raw bytes that are no base64', part({ raw: '***' }), 'message.parts[0].raw'],
    ['base64 cut short', part({ raw: 'AAAAA' }), 'message.parts[0].raw'],
    ['part metadata that is a list', part({ text: '', metadata: [] }), 'message.parts[0].metadata'],
    ['metadata that is a string', say('', { metadata: 'x' }), 'message.metadata'],
    ['extensions that are numbers', say('', { extensions: [1] }), 'message.extensions[0]'],
    [
      'referenceTaskIds that are no list',
      say('', { referenceTaskIds: 'a' }),
      'message.referenceTaskIds',
    ],
    ['a contextId that climbs', say('', { contextId: '../x' }), 'message.contextId'],
    ['an encoded climb', say('', { contextId: '..%2fx' }), 'message.contextId'],
    ['a separator in the contextId', say('', { contextId: 'a/b' }), 'message.contextId'],
    ['a NUL in the contextId', say('', { contextId: 'a\0' }), 'message.contextId'],
    ['a direction mark in the contextId', say('', { contextId: 'a\u202e' }), 'message.contextId'],
    ['a dot as contextId', say('', { contextId: '.' }), 'message.contextId'],
    ['a reserved contextId', say('', { contextId: '__x__' }), 'message.contextId'],
    ['a contextId of 10 kB', say('', { contextId: 'c'.repeat(10_240) }), 'message.contextId'],
    ['a configuration that is a list', configured([]), 'configuration'],
    [
      'returnImmediately as text',
      configured({ returnImmediately: 'yes' }),
      'configuration.returnImmediately',
    ],
    ['a negative historyLength', configured({ historyLength: -5 }), 'configuration.historyLength'],
    [
      'half a message of history',
      configured({ historyLength: 1.5 }),
      'configuration.historyLength',
    ],
    [
      'output modes that are no text',
      configured({ acceptedOutputModes: [1] }),
      'configuration.acceptedOutputModes[0]',
    ],
    ['request metadata that is a number', { ...say(''), metadata: 3 }, 'metadata'],
    ['a tenant with a slash', { ...say(''), tenant: 'a/b' }, 'tenant'],
    ['a tenant of 65 characters', { ...say(''), tenant: 't'.repeat(65) }, 'tenant'],
    ['a tenant named like a route', { ...say(''), tenant: 'tasks' }, 'tenant'],
    ['a tenant that is a number', { ...say(''), tenant: 5 }, 'tenant'],
  ])('%s', async (_what, params, field) => {
    const before = edge.service.tasks.size;
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const answer = await rpc(edge, method, params);
      expect(answer.body).toMatchObject({ error: { code: -32602 } });
      expect(detailsOf(answer.body).fields).toContain(field);
      expect(detailsOf(answer.body).reasons).toEqual(['a2a-protocol.org/INVALID_PARAMS']);
    }
    for (const path of ['/message:send', '/message:stream']) {
      const answer = await request(edge, 'POST', path, params);
      expect(answer.status).toBe(400);
      expect(detailsOf(answer.body).fields).toContain(field);
    }
    expect(edge.service.tasks.size).toBe(before);
  });

  test('every fault is named at once', async () => {
    const answer = await rpc(edge, 'SendMessage', { message: { parts: [{}] } });
    expect(detailsOf(answer.body).fields).toEqual(
      expect.arrayContaining(['message.messageId', 'message.role', 'message.parts[0]']),
    );
  });
});

describe('a bad read names its field on both bindings', () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ['GetTask', '/tasks/x', { historyLength: -1 }, 'historyLength'],
    ['GetTask', '/tasks/x', { historyLength: 'abc' }, 'historyLength'],
    ['ListTasks', '/tasks', { pageSize: 0 }, 'pageSize'],
    ['ListTasks', '/tasks', { pageSize: 101 }, 'pageSize'],
    ['ListTasks', '/tasks', { pageSize: 'abc' }, 'pageSize'],
    ['ListTasks', '/tasks', { pageToken: 'junk' }, 'pageToken'],
    ['ListTasks', '/tasks', { status: 'JUNK' }, 'status'],
    ['ListTasks', '/tasks', { status: 'completed' }, 'status'],
    ['ListTasks', '/tasks', { statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter'],
    ['ListTasks', '/tasks', { statusTimestampAfter: '2026-02-30' }, 'statusTimestampAfter'],
    ['ListTasks', '/tasks', { includeArtifacts: 'yes' }, 'includeArtifacts'],
    ['ListTasks', '/tasks', { historyLength: '1abc' }, 'historyLength'],
  ])('%s %s with %j', async (method, path, params, field) => {
    const overRpc = await rpc(edge, method, { id: 'x', ...params });
    expect(overRpc.body).toMatchObject({ error: { code: -32602 } });
    expect(detailsOf(overRpc.body).fields).toEqual([field]);
    const query = new URLSearchParams(
      Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    );
    const overRest = await request(edge, 'GET', `${path}?${query.toString()}`);
    expect(overRest.status).toBe(400);
    expect(detailsOf(overRest.body).fields).toEqual([field]);
  });

  test.each(['GetTask', 'CancelTask', 'SubscribeToTask'])('%s without an id', async (method) => {
    for (const params of [{}, { id: '' }, { id: 7 }]) {
      const answer = await rpc(edge, method, params);
      expect(answer.body).toMatchObject({ error: { code: -32602 } });
      expect(detailsOf(answer.body).fields).toEqual(['id']);
    }
  });

  test('a boolean as text is refused where JSON has booleans', async () => {
    const answer = await rpc(edge, 'ListTasks', { includeArtifacts: 'false' });
    expect(detailsOf(answer.body).fields).toEqual(['includeArtifacts']);
  });
});

describe('what ProtoJSON allows is accepted', () => {
  test('snake_case names, integers as enums, numbers as text, and null for absent', async () => {
    const answer = await rpc(edge, 'SendMessage', {
      message: {
        message_id: 'm-1',
        context_id: 'snake',
        task_id: null,
        role: 1,
        parts: [{ text: 'hello', media_type: 'text/plain', data: null }],
        reference_task_ids: ['t-1'],
      },
      configuration: { history_length: '0', return_immediately: true, accepted_output_modes: [] },
    });
    expect(answer.body).toMatchObject({ result: { task: { contextId: 'snake' } } });
    expect(answer.text).not.toContain('history');
    expect(edge.service.sent.at(-1)?.request).toEqual({
      blocking: false,
      beside: { historyLength: 0, returnImmediately: true },
      contextId: 'snake',
      message: {
        messageId: 'm-1',
        role: 'user',
        parts: [{ text: 'hello', mediaType: 'text/plain' }],
        referenceTaskIds: ['t-1'],
      },
    });
  });

  test('unknown fields are ignored', async () => {
    const answer = await rpc(edge, 'SendMessage', { ...say('hello', { kind: 'message' }), x: 1 });
    expect(answer.body).toMatchObject({ result: { task: {} } });
  });

  test('every kind of content arrives as it was sent, null data included', async () => {
    const parts = [
      { text: '' },
      { raw: 'AP8Q', filename: 'a.bin', mediaType: 'application/octet-stream' },
      { raw: '-_8' },
      { url: 'https://example.com/a' },
      { data: null },
      { data: { nested: [1, null, 'x'] }, metadata: { __proto__x: 1 } },
      { data: false },
    ];
    await rpc(edge, 'SendMessage', say('', { parts }));
    expect(edge.service.sent.at(-1)?.request.message.parts).toEqual([
      { text: '' },
      {
        raw: Buffer.from([0, 255, 16]),
        filename: 'a.bin',
        mediaType: 'application/octet-stream',
      },
      { raw: Buffer.from([251, 255]) },
      { url: 'https://example.com/a' },
      { data: null },
      { data: { nested: [1, null, 'x'] }, metadata: { __proto__x: 1 } },
      { data: false },
    ]);
    const task = edge.service.only().taskId;
    const { body } = await rpc(edge, 'GetTask', { id: task });
    const shown = parts.map((each) =>
      'raw' in each && each.raw === '-_8' ? { raw: '+/8=' } : each,
    );
    expect(body).toMatchObject({ result: { history: [{ parts: shown }, {}] } });
  });

  test('a filter arrives in the terms of the application', async () => {
    const after = '2026-01-01T01:00:00.0001+01:00';
    const filter = {
      contextId: 'snake',
      state: 'INPUT_REQUIRED',
      statusAfter: Date.UTC(2026, 0, 1) + 1,
      pageSize: 7,
      historyLength: 2,
      includeArtifacts: true,
    };
    await rpc(edge, 'ListTasks', {
      contextId: 'snake',
      status: 6,
      statusTimestampAfter: after,
      page_size: '7',
      historyLength: 2,
      includeArtifacts: true,
      pageToken: '',
    });
    expect(edge.service.filters.at(-1)).toEqual(filter);
    const query = new URLSearchParams({
      context_id: 'snake',
      status: 'TASK_STATE_INPUT_REQUIRED',
      statusTimestampAfter: after,
      pageSize: '7',
      history_length: '2',
      include_artifacts: 'true',
      pageToken: '',
    });
    await request(edge, 'GET', `/tasks?${query.toString()}`);
    expect(edge.service.filters.at(-1)).toEqual(filter);
  });

  test('UNSPECIFIED as a status means no filter', async () => {
    await rpc(edge, 'ListTasks', { status: 'TASK_STATE_UNSPECIFIED' });
    expect(edge.service.filters.at(-1)).toEqual({ includeArtifacts: false });
  });
});
