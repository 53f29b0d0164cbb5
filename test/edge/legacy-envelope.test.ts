import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer({ v03: true });
});
afterAll(() => edge.close());

const message = {
  kind: 'message',
  messageId: 'm',
  role: 'user',
  parts: [{ kind: 'text', text: 'hello' }],
};
const nameless = { jsonrpc: '2.0', method: 'message/send', params: { message } };
const call = { ...nameless, id: 'seven' };
const post = (body: unknown, version = '') =>
  request(edge, 'POST', '/', body, { 'A2A-Version': version });

// Kit 0.3: test_json_rpc_compliance, test_protocol_violations.
describe('every v0.3 request is answered', () => {
  test.each([
    ['an unknown method', { ...nameless, method: 'message/ssend' }, -32601],
    ['parameters that are wrong', { ...nameless, params: { '': 'not_a_dict' } }, -32602],
  ])('%s without an id is an error with the id null', async (_what, body, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  test('a good one without an id has its result', async () => {
    const answer = await post(nameless);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, result: { kind: 'task' } });
  });

  test.each([
    ['another JSON-RPC version', { ...call, jsonrpc: '1.0' }],
    ['no method', { ...call, method: undefined }],
  ])('with %s the id comes back all the same', async (_what, body) => {
    expect((await post(body)).body).toMatchObject({ id: 'seven', error: { code: -32600 } });
  });

  test('an id that is none comes back as null', async () => {
    const answer = await post({ ...call, id: { bad: 'type' } });
    expect(answer.body).toMatchObject({ id: null, error: { code: -32600 } });
  });

  test('a v1.0 notification gets nothing also while v0.3 is on', async () => {
    const answer = await post({ ...nameless, method: 'Nope' }, '1.0');
    expect([answer.status, answer.text]).toEqual([204, '']);
  });
});
