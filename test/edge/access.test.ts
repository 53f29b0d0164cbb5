import { afterEach, describe, expect, test } from 'vitest';
import type { NoEntry, PrincipalOf } from '../../shared/ports/access.ts';
import { detailsOf, request, rpc, say } from './calls.ts';
import { echo, type EdgeServer, edgeServer } from './edge-server.ts';
import { openStream } from './sse.ts';

let edge: EdgeServer;
afterEach(() => edge.close());

describe('the caller', () => {
  test('is anonymous by default', async () => {
    edge = await edgeServer();
    await rpc(edge, 'SendMessage', say('hello'));
    expect(edge.service.sent[0]?.principal).toEqual({
      agent: 'echo',
      tenant: '',
      owner: '',
      authenticated: false,
    });
  });

  test('is who the hook says, and sees only what is theirs (G23)', async () => {
    const principalOf: PrincipalOf = (headers) =>
      Promise.resolve({ owner: headers['x-user']?.[0] ?? '', authenticated: true });
    edge = await edgeServer({ access: { principalOf } });
    const asAnn = { 'X-User': 'ann' };
    await rpc(edge, 'SendMessage', say('ask'), asAnn);
    const { taskId: id } = edge.service.only();
    expect((await rpc(edge, 'GetTask', { id }, asAnn)).body).toMatchObject({ result: { id } });
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      const foreign = await rpc(edge, method, { id }, { 'X-User': 'bob' });
      const nobodys = await rpc(edge, method, { id: unknown }, { 'X-User': 'bob' });
      expect(foreign.text).toBe(nobodys.text);
      expect(foreign.body).toMatchObject({ error: { code: -32001 } });
    }
  });

  test.each<[NoEntry, number, string]>([
    [
      { kind: 'unauthenticated', message: 'Who are you?', challenge: 'Bearer' },
      401,
      'UNAUTHENTICATED',
    ],
    [
      { kind: 'forbidden', message: 'Not you.', challenge: 'Bearer error="insufficient_scope"' },
      403,
      'PERMISSION_DENIED',
    ],
    [{ kind: 'exhausted', message: 'Too often.', retryAfter: 7 }, 429, 'RESOURCE_EXHAUSTED'],
  ])('%j is refused before the body is read', async (noEntry, status, reason) => {
    edge = await edgeServer({ access: { principalOf: () => Promise.resolve(noEntry) } });
    const answers = [
      await request(edge, 'POST', '/', '{'),
      await request(edge, 'POST', '/message:send', '{'),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get('www-authenticate')).toBe(noEntry.challenge ?? null);
      expect(answer.headers.get('retry-after')).toBe(noEntry.retryAfter === undefined ? null : '7');
      expect(detailsOf(answer.body).reasons).toEqual([`a2a-protocol.org/${reason}`]);
    }
    expect(answers[0]?.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    expect((await request(edge, 'GET', '/.well-known/agent-card.json')).status).toBe(200);
  });

  test('whom a broken hook can not tell is not let in', async () => {
    edge = await edgeServer({ access: { principalOf: () => Promise.reject(new Error('secret')) } });
    const answer = await request(edge, 'GET', '/tasks');
    expect([answer.status, answer.text.includes('secret')]).toEqual([500, false]);
  });
});

describe('extensions', () => {
  const known = { uri: 'https://a.example/known', required: false };
  const needed = { uri: 'urn:a2a:needed', required: true };

  test('a required one that the caller does not name is asked for', async () => {
    edge = await edgeServer({ agents: [{ ...echo, extensions: [known, needed] }] });
    const overRpc = await rpc(edge, 'SendMessage', say('hello'));
    expect(overRpc.body).toMatchObject({ error: { code: -32008 } });
    const overRest = await request(edge, 'POST', '/message:stream', say('hello'));
    expect(overRest.status).toBe(400);
    expect(overRest.body).toMatchObject({
      error: {
        status: 'FAILED_PRECONDITION',
        details: [{ reason: 'EXTENSION_SUPPORT_REQUIRED', metadata: { extensions: needed.uri } }],
      },
    });
    expect(edge.service.tasks.size).toBe(0);
  });

  test('those in effect are echoed, unknown ones ignored, on answers and on streams', async () => {
    edge = await edgeServer({ agents: [{ ...echo, extensions: [known, needed] }], v03: true });
    const headers = { 'A2A-Extensions': `${needed.uri}, urn:x, ${known.uri}` };
    const answers = [
      (await rpc(edge, 'SendMessage', say('hello'), headers)).headers,
      (await request(edge, 'POST', '/message:send', say('hello'), headers)).headers,
      (await openStream(edge, '/message:stream', say('hello'), headers)).response.headers,
    ];
    for (const answer of answers) {
      expect(answer.get('a2a-extensions')).toBe(`${known.uri}, ${needed.uri}`);
    }
    const part = { kind: 'text', text: 'hello' };
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [part] };
    const old = { 'A2A-Version': '0.3', 'X-A2A-Extensions': needed.uri };
    const legacy = await rpc(edge, 'message/send', { message }, old);
    expect(legacy.headers.get('x-a2a-extensions')).toBe(needed.uri);
  });
});

describe('input modes', () => {
  const picture = say('', { parts: [{ raw: 'AAAA', mediaType: 'image/png' }] });

  test('are not checked by default', async () => {
    edge = await edgeServer();
    expect((await request(edge, 'POST', '/message:send', picture)).status).toBe(200);
  });

  test('are checked against the agent and its skills when asked for', async () => {
    const [skill] = echo.skills;
    if (skill === undefined) throw new Error('the echo has a skill');
    const drawing = { ...skill, id: 'draw', inputModes: ['image/*'] };
    edge = await edgeServer({ checkInputModes: true });
    const answer = await request(edge, 'POST', '/message:send', picture);
    expect(answer.status).toBe(400);
    expect(detailsOf(answer.body)).toEqual({
      reasons: ['a2a-protocol.org/CONTENT_TYPE_NOT_SUPPORTED'],
      fields: ['message.parts[0].mediaType'],
    });
    expect((await rpc(edge, 'SendMessage', picture)).body).toMatchObject({
      error: { code: -32005 },
    });
    expect((await request(edge, 'POST', '/message:send', say('text is text'))).status).toBe(200);
    await edge.close();
    edge = await edgeServer({ checkInputModes: true, agents: [{ ...echo, skills: [drawing] }] });
    expect((await request(edge, 'POST', '/message:send', picture)).status).toBe(200);
  });
});

describe('a client of v0.3 where only 1.0 is spoken', () => {
  test('is named to the operator once, and one of 1.0 that forgot its version is not', async () => {
    let told = 0;
    edge = await edgeServer({ onLegacyRefused: () => (told += 1) });
    const old = { 'A2A-Version': '' };
    await rpc(edge, 'GetTask', { id: 'x' }, old);
    await request(edge, 'GET', '/tasks/x', undefined, old);
    await rpc(edge, 'message/send', {}, { 'A2A-Version': '1.0' });
    expect(told).toBe(0);
    expect((await rpc(edge, 'message/send', {}, old)).body).toMatchObject({
      error: { code: -32_009 },
    });
    await request(edge, 'POST', '/v1/message:send', {}, old);
    expect(told).toBe(1);
  });
});

describe('the log', () => {
  test('has a line for each request, with nothing of its content', async () => {
    edge = await edgeServer();
    await rpc(edge, 'SendMessage', say('my secret'));
    await request(edge, 'GET', '/tasks/my-secret');
    await request(edge, 'GET', '/my/secret?my=secret');
    await request(edge, 'POST', '/', '{"my secret');
    const lines = edge.log.map(({ event, fields }) => [
      event,
      fields?.['agent'],
      fields?.['operation'],
      fields?.['status'],
      fields?.['failure'],
    ]);
    expect(lines).toEqual([
      ['a2a.request', 'echo', 'SendMessage', 200, undefined],
      ['a2a.request', 'echo', 'GetTask', 404, 'TASK_NOT_FOUND'],
      ['a2a.request', 'echo', 'unknown', 404, 'ROUTE_NOT_FOUND'],
      ['a2a.request', 'echo', 'unknown', 200, 'PARSE_ERROR'],
    ]);
    expect(JSON.stringify(edge.log)).not.toContain('secret');
  });
});
