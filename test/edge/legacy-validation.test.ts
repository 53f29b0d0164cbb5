import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, request } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer({ v03: true });
});
afterAll(() => edge.close());

const OLD = { 'A2A-Version': '' };

function say(more: object = {}): object {
  const parts = [{ kind: 'text', text: 'hello' }];
  return { kind: 'message', messageId: 'm', role: 'user', parts, ...more };
}

function call(method: string, params: unknown): Promise<Answer> {
  return request(edge, 'POST', '/', { jsonrpc: '2.0', id: 1, method, params }, OLD);
}

const file = (value: unknown) => say({ parts: [{ kind: 'file', file: value }] });

describe('v0.3 requests are checked as strictly', () => {
  test.each<[string, unknown]>([
    ['no message', undefined],
    ['a message without an id', say({ messageId: undefined })],
    ['a NUL in the messageId', say({ messageId: 'a\0' })],
    ['the role of an agent', say({ role: 'agent' })],
    ['no parts', say({ parts: [] })],
    ['null as a part', say({ parts: [null] })],
    ['a part of an unknown kind', say({ parts: [{ kind: 'video' }] })],
    ['a text that is a number', say({ parts: [{ kind: 'text', text: 7 }] })],
    ['a file that is null', file(null)],
    ['a file without content', file({})],
    ['bytes that are no base64', file({ bytes: '***' })],
    ['a uri that is a number', file({ uri: 7 })],
    ['a contextId that climbs', say({ contextId: '../x' })],
    ['a contextId that is a number', say({ contextId: 7 })],
    ['extensions of numbers', say({ extensions: [7] })],
  ])('%s', async (_what, message) => {
    const refused = { jsonrpc: '2.0', id: 1, error: { code: -32602 } };
    expect((await call('message/send', { message })).body).toMatchObject(refused);
    const { text } = await call('message/stream', { message });
    expect(JSON.parse(text.replace(/^data: /, ''))).toMatchObject(refused);
  });

  test.each([[{ historyLength: -1 }], [{ historyLength: '5' }], [{ historyLength: 0.5 }]])(
    'a configuration of %j is refused',
    async (configuration) => {
      const { body } = await call('message/send', { message: say(), configuration });
      expect(body).toMatchObject({ error: { code: -32602 } });
    },
  );

  test.each(['tasks/get', 'tasks/cancel'])('%s without an id is refused', async (method) => {
    for (const params of [{}, { id: 7 }]) {
      expect((await call(method, params)).body).toMatchObject({ error: { code: -32602 } });
    }
  });

  test('over HTTP+JSON too', async () => {
    const bodies = [
      {},
      { message: { messageId: 'm', role: 'ROLE_USER', content: [] } },
      { message: { messageId: 'm', role: 'ROLE_AGENT', content: [{ text: 'a' }] } },
      { message: { messageId: 'm', role: 'ROLE_USER', content: [{ file: 7 }] } },
      {
        message: { messageId: 'm', role: 'ROLE_USER', content: [{ file: { fileWithBytes: '*' } }] },
      },
    ];
    for (const body of bodies) {
      const answer = await request(edge, 'POST', '/v1/message:send', body, OLD);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: -32602 });
    }
    const answer = await request(edge, 'GET', '/v1/tasks/x?historyLength=1abc', undefined, OLD);
    expect(answer.body).toMatchObject({ code: -32602 });
  });

  test('nothing of a refused request was done', () => {
    expect(edge.service.tasks.size).toBe(0);
  });
});

describe('a v0.3 send over JSON-RPC blocks unless it says otherwise', () => {
  test.each([undefined, {}, { blocking: true }, { acceptedOutputModes: [] }])(
    'configuration %j',
    async (configuration) => {
      await call('message/send', { message: say(), configuration });
      expect(edge.service.sent.at(-1)?.request.blocking).toBe(true);
    },
  );

  test('blocking false returns at once', async () => {
    await call('message/send', { message: say(), configuration: { blocking: false } });
    expect(edge.service.sent.at(-1)?.request.blocking).toBe(false);
  });
});
