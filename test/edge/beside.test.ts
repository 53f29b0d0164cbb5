import { expect, test } from 'vitest';
import { request, rpc, say } from './calls.ts';
import { echo, edgeServer } from './edge-server.ts';

const EXTENSION = 'https://ext.example/v1';
const card = { ...echo, extensions: [{ uri: EXTENSION }] };
const claims = { email: 'ada@example.org' };

test('what comes beside a message reaches the application, on both bindings, and nothing else does', async () => {
  const principalOf = () => Promise.resolve({ owner: 'ada', authenticated: true, claims });
  const edge = await edgeServer({ agents: [card], access: { principalOf } });
  try {
    const given = {
      ...say('hello'),
      metadata: { order: 7 },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        historyLength: 2,
        returnImmediately: true,
      },
    };
    const headers = { 'A2A-Extensions': `${EXTENSION}, https://unknown.example` };
    await rpc(edge, 'SendMessage', given, headers);
    await request(edge, 'POST', '/message:send', given, headers);
    const { configuration, metadata } = given;
    const expected = { metadata, ...configuration, extensions: [EXTENSION], claims };
    expect(edge.service.sent.map((sent) => sent.request.beside)).toEqual([expected, expected]);
  } finally {
    await edge.close();
  }
});

test('a request with nothing beside its message says nothing', async () => {
  const edge = await edgeServer();
  try {
    const configuration = { acceptedOutputModes: [], returnImmediately: false };
    await rpc(edge, 'SendMessage', { ...say('hello'), configuration, metadata: {} });
    expect(edge.service.sent.map((sent) => sent.request)).toEqual([
      expect.not.objectContaining({ beside: expect.anything() }),
    ]);
  } finally {
    await edge.close();
  }
});

test('a client of v0.3 is known for one', async () => {
  const edge = await edgeServer({ v03: true });
  try {
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [] };
    const params = {
      message: { ...message, parts: [{ kind: 'text', text: 'hello' }] },
      metadata: { order: 7 },
    };
    await rpc(edge, 'message/send', params, { 'A2A-Version': '0.3' });
    expect(edge.service.sent[0]?.request.beside).toEqual({
      metadata: { order: 7 },
      version: '0.3',
    });
  } finally {
    await edge.close();
  }
});
