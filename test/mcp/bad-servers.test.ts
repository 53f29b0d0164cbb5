import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { ToolServer } from '../../shared/domain/tool-server.ts';
import { createToolServers, type ToolServersOptions } from '../../shared/mcp/tool-servers.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { type Answer, BadServer, json } from '../fixtures/tool-servers/bad-server.ts';

const ORDER = { name: 'order', schema: { type: 'object' } };

async function opened(answer: Answer, over: Partial<ToolServersOptions> = {}, timeout = 60_000) {
  const bad = new BadServer(answer);
  const url = await bad.start();
  const logged: unknown[] = [];
  const servers = createToolServers({
    secrets: () => undefined,
    allowPrivate: ['127.0.0.1'],
    environment: {},
    clock: systemClock,
    log: { write: (_level, event, fields) => void logged.push({ event, ...fields }) },
    ...over,
  });
  onTestFinished(async () => {
    await servers.close();
    await bad.stop();
  });
  const server: ToolServer = {
    name: 'bad',
    at: { kind: 'url', url, headers: {} },
    timeout,
    answerBytes: 100_000,
  };
  return { bad, logged, server, servers, call: () => servers.call(server, ORDER, {}) };
}

const onCall =
  (answer: (response: ServerResponse, id: unknown) => unknown): Answer =>
  ({ id, method }, response) => {
    if (method === 'tools/call') answer(response, id);
    return method === 'tools/call';
  };
const onList =
  (answer: (response: ServerResponse, id: unknown) => unknown): Answer =>
  ({ id, method }, response) => {
    if (method === 'tools/list') answer(response, id);
    return method === 'tools/list';
  };
const body = (status: number, type: string, text: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': type }).end(text);
const result = (value: unknown) => (response: ServerResponse, id: unknown) =>
  json(response, { jsonrpc: '2.0', id, result: value });
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

it.each<[string, (response: ServerResponse, id: unknown) => unknown, unknown]>([
  ['no JSON', body(200, 'application/json', 'nothing'), { kind: 'outcome_unknown' }],
  ['another media type', body(200, 'text/html', '<p>hello'), { kind: 'outcome_unknown' }],
  ['500', body(500, 'text/plain', 'broken'), { kind: 'outcome_unknown', reason: 'http 500' }],
  ['401', body(401, 'text/plain', ''), { kind: 'refused', reason: 'http 401' }],
  ['403', body(403, 'text/plain', ''), { kind: 'refused', reason: 'http 403' }],
  ['429', body(429, 'text/plain', ''), { kind: 'refused', reason: 'http 429' }],
  [
    'an error of JSON-RPC',
    (response, id) =>
      json(response, { jsonrpc: '2.0', id, error: { code: -32602, message: 'bad arguments' } }),
    { kind: 'refused', reason: expect.stringContaining('bad arguments') },
  ],
  ['content that is none', result({ content: [{ type: 'smell' }] }), { kind: 'unusable' }],
  ['no list of content', result({ content: 'words' }), { kind: 'unusable' }],
  [
    'data that is nested too deep',
    result({ content: [], structuredContent: { a: deep(2_000) } }),
    { kind: 'unusable' },
  ],
  [
    'more than it may',
    result({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] }),
    { kind: 'unusable', reason: 'too large' },
  ],
  [
    'half a body',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc":');
      response.destroy();
    },
    { kind: 'outcome_unknown' },
  ],
  [
    'nothing, and hangs up',
    (response) => response.destroy(),
    { kind: 'outcome_unknown', reason: 'no answer' },
  ],
  [
    'a stream that ends without an answer',
    body(200, 'text/event-stream', ': nothing\n\n'),
    { kind: 'outcome_unknown', reason: 'no answer' },
  ],
  [
    'a stream that breaks',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc"');
      setTimeout(() => response.destroy(), 5);
    },
    { kind: 'outcome_unknown', reason: 'broken answer' },
  ],
  [
    'a stream without an end',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = setInterval(() => response.write(`: ${'x'.repeat(20_000)}\n\n`), 1);
      response.once('close', () => clearInterval(more));
    },
    { kind: 'unusable', reason: 'too large' },
  ],
  [
    'a redirect to another origin',
    (response) => response.writeHead(307, { location: 'https://else.example/mcp' }).end(),
    { kind: 'outcome_unknown' },
  ],
])('a call that is answered with %s', async (_what, answer, outcome) => {
  const { bad, call } = await opened(onCall(answer));
  expect(await call()).toMatchObject(outcome as object);
  expect(bad.asked.filter((method) => method === 'tools/call')).toHaveLength(1);
});

it.each<[string, (response: ServerResponse, id: unknown) => unknown]>([
  ['never', () => undefined],
  [
    'under another id',
    (response) => json(response, { jsonrpc: '2.0', id: 999, result: { content: [] } }),
  ],
])('a call that is answered %s ends at its time limit', async (_when, answer) => {
  const { call } = await opened(onCall(answer), {}, 300);
  expect(await call()).toEqual({ kind: 'outcome_unknown', reason: 'timeout' });
});

it('an answer in a stream, behind news that was not asked for, is taken', async () => {
  const { call } = await opened(
    onCall((response, id) => {
      const events = [
        { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hm' } },
        { jsonrpc: '2.0', id: 'x', method: 'sampling/createMessage', params: {} },
        { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    }),
  );
  expect(await call()).toMatchObject({
    kind: 'answered',
    content: [{ kind: 'text', text: 'done' }],
  });
});

it.each<[string, (response: ServerResponse, id: unknown) => unknown]>([
  ['no JSON', body(200, 'application/json', 'nothing')],
  ['500', body(500, 'text/plain', 'broken')],
  ['401', body(401, 'text/plain', '')],
  ['no list', result({ tools: 'none' })],
  ['more than it may', result({ tools: [], more: 'x'.repeat(200_000) })],
  [
    'pages without an end',
    result({ tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: 'x' }),
  ],
  ['nothing, and hangs up', (response) => response.destroy()],
])('a listing that is answered with %s', async (what, answer) => {
  const { logged, server, servers } = await opened(onList(answer));
  const listing = await servers.list(server);
  // A page that is the last one again is the end of them.
  if (what.startsWith('pages')) expect(listing.kind).toBe('tools');
  else {
    expect(listing).toMatchObject({ kind: 'away' });
    expect(logged).toContainEqual(
      expect.objectContaining({ event: 'tool server is away', server: 'bad', failures: 1 }),
    );
  }
});

it('a tool whose schema is too deep or too large is left out, the others are not', async () => {
  const schema = (property: unknown) => ({ type: 'object', properties: { a: property } });
  const { server, servers } = await opened(
    onList(
      result({
        tools: [
          { name: 'deep', inputSchema: schema(deep(200)) },
          { name: 'large', inputSchema: schema({ description: 'x'.repeat(70_000) }) },
          { name: 'good', inputSchema: schema({ type: 'string' }) },
        ],
      }),
    ),
  );
  const listing = await servers.list(server);
  expect(listing.kind === 'tools' && listing.tools.map(({ name }) => name)).toEqual(['good']);
});

it('a server that is not there is away, and a call to it was not sent', async () => {
  const { bad, call, server, servers } = await opened(() => false);
  await bad.stop();
  expect(await servers.list(server)).toEqual({ kind: 'away', reason: 'connection refused' });
  expect(await call()).toEqual({ kind: 'not_sent', reason: 'connection refused' });
});

it('a server that came back is asked again', async () => {
  let broken = true;
  const { call, server, servers } = await opened(({ method }, response) => {
    if (method !== 'tools/list' || !broken) return false;
    response.writeHead(503).end();
    return true;
  });
  expect(await servers.list(server)).toEqual({ kind: 'away', reason: 'http 503' });
  broken = false;
  expect(await servers.list(server)).toMatchObject({ kind: 'tools' });
  expect(await call()).toMatchObject({ kind: 'answered' });
});

it('plain http to a host that was not allowed is not spoken, and the log says what to set', async () => {
  const { bad, logged, server, servers } = await opened(() => false, { allowPrivate: false });
  expect(await servers.list(server)).toEqual({ kind: 'away', reason: 'not https' });
  expect(bad.asked).toEqual([]);
  expect(logged).toContainEqual(
    expect.objectContaining({ advice: expect.stringContaining('--remote-private') }),
  );
});

it('a secret that is not set is named, and nothing is sent', async () => {
  const { bad, server, servers } = await opened(() => false);
  const at = { ...server.at, credential: { scheme: 'Bearer', secret: 'shop-token' } };
  expect(await servers.list({ ...server, at: at })).toEqual({
    kind: 'away',
    reason: expect.stringContaining('the secret shop-token'),
  });
  expect(bad.asked).toEqual([]);
});
