import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaults } from '../../shared/domain/settings.ts';
import { detailsOf, request, rpc, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer();
});
afterAll(() => edge.close());

const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: say('hello') };

describe('what is no JSON-RPC request is refused with the id null', () => {
  test.each([
    ['text that is no JSON', '{"jsonrpc"', -32700, 'PARSE_ERROR'],
    ['an empty body', '', -32700, 'PARSE_ERROR'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), -32700, 'PARSE_ERROR'],
    ['a batch', JSON.stringify([call]), -32600, 'INVALID_REQUEST'],
    ['a string', '"hello"', -32600, 'INVALID_REQUEST'],
    ['null', 'null', -32600, 'INVALID_REQUEST'],
    ['another version', JSON.stringify({ ...call, jsonrpc: '1.0' }), -32600, 'INVALID_REQUEST'],
    ['no method', JSON.stringify({ jsonrpc: '2.0', id: 1 }), -32600, 'INVALID_REQUEST'],
    ['a number as method', JSON.stringify({ ...call, method: 1 }), -32600, 'INVALID_REQUEST'],
    ['an object as id', JSON.stringify({ ...call, id: {} }), -32600, 'INVALID_REQUEST'],
    ['a boolean as id', JSON.stringify({ ...call, id: true }), -32600, 'INVALID_REQUEST'],
    ['a fraction as id', JSON.stringify({ ...call, id: 1.5 }), -32600, 'INVALID_REQUEST'],
    ['nesting without end', '['.repeat(50_000) + ']'.repeat(50_000), -32600, 'INVALID_REQUEST'],
  ])('%s', async (_what, body, code, reason) => {
    const response = await fetch(edge.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body,
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    expect(detailsOf(answer).reasons).toEqual([`a2a-protocol.org/${reason}`]);
  });

  test('a media type other than JSON is refused with -32005', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await request(edge, 'POST', '/', JSON.stringify(call), headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: null, error: { code: -32005 } });
    expect(detailsOf(answer.body).reasons).toEqual(['a2a-protocol.org/CONTENT_TYPE_NOT_SUPPORTED']);
  });

  test('a body over the limit is answered 413 with a JSON-RPC error', async () => {
    const small = await edgeServer({
      settings: { ...defaults, requestBody: 1_000 },
    });
    const answer = await rpc(small, 'SendMessage', say('x'.repeat(2_000)));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    expect(detailsOf(answer.body).reasons).toContain('holdfast/BODY_TOO_LARGE');
    await small.close();
  });
});

describe('the id comes back as it was sent', () => {
  test.each([0, -1, 'seven', '', null, 9_007_199_254_740_991])('id %j', async (id) => {
    const good = await request(edge, 'POST', '/', { ...call, id });
    expect(good.body).toMatchObject({ id, result: { task: {} } });
    const bad = await request(edge, 'POST', '/', { ...call, id, method: 'Nope' });
    expect(bad.body).toMatchObject({ id, error: { code: -32601 } });
    const stream = await request(edge, 'POST', '/', {
      ...call,
      id,
      method: 'SendStreamingMessage',
    });
    const data = /data: (.*)/.exec(stream.text)?.[1] ?? '';
    expect(JSON.parse(data)).toMatchObject({ jsonrpc: '2.0', id, result: { task: {} } });
  });
});

describe('a notification', () => {
  const { jsonrpc, method: sends, params } = call;
  const notification = { jsonrpc, method: sends, params };

  test('is executed and answered by nothing', async () => {
    const before = edge.service.tasks.size;
    const answer = await request(edge, 'POST', '/', notification);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(edge.service.tasks.size).toBe(before + 1);
  });

  test('gets no reply either when it fails', async () => {
    for (const method of ['Nope', 'GetTask']) {
      const answer = await request(edge, 'POST', '/', { ...notification, method, params: {} });
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
  });

  test('does not wait for the task, nor open a stream', async () => {
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const answer = await request(edge, 'POST', '/', {
        ...notification,
        method,
        params: say('hold'),
      });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(edge.service.only().state).toBe('WORKING');
      expect(edge.service.only().waiting).toBe(0);
    }
  });
});

describe('methods and parameters', () => {
  test('an unknown method is -32601 with an ErrorInfo', async () => {
    const answer = await rpc(edge, 'message/send', say('hello'));
    expect(answer.body).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(detailsOf(answer.body).reasons).toEqual(['a2a-protocol.org/METHOD_NOT_FOUND']);
  });

  test.each([[[]], ['text'], [7]])(
    'parameters that are no object are refused: %j',
    async (params) => {
      const answer = await rpc(edge, 'ListTasks', params);
      expect(answer.body).toMatchObject({ error: { code: -32602 } });
      expect(detailsOf(answer.body).fields).toEqual(['params']);
    },
  );

  test('a method without required parameters needs none', async () => {
    const answer = await rpc(edge, 'ListTasks');
    expect(answer.body).toMatchObject({ result: { nextPageToken: '', pageSize: 50 } });
  });

  test('the endpoint answers with and without a trailing slash', async () => {
    for (const path of ['', '/', '/agents/echo', '/agents/echo/']) {
      const answer = await request(edge, 'POST', path, call);
      expect(answer.body).toMatchObject({ result: { task: {} } });
    }
  });
});

test('an id comes back as it was written, whatever JavaScript makes of the number', async () => {
  for (const id of ['9007199254740993', '-12345678901234567890', '7', '"seven"', 'null']) {
    const params = '{"message":{"id":5,"messageId":"m","role":"ROLE_USER","parts":[{"text":"a"}]}}';
    const body = `{"jsonrpc":"2.0","method":"SendMessage","params":${params},"id":${id}}`;
    const answer = await request(edge, 'POST', '/', body);
    expect(answer.text).toContain(`{"jsonrpc":"2.0","id":${id},"result":`);
  }
  for (const id of ['1.5', '1e400', '{}', 'true']) {
    const body = `{"jsonrpc":"2.0","method":"ListTasks","id":${id}}`;
    const answer = await request(edge, 'POST', '/', body);
    expect(answer.body).toMatchObject({ id: null, error: { code: -32_600 } });
  }
});
