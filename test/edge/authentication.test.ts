import { AgentCard } from '@a2a-js/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { apiKeyCheck } from '../../shared/access/api-key-check.ts';
import { bearerCheck } from '../../shared/access/bearer-check.ts';
import { type AccessOptions, createAccess } from '../../shared/access/check.ts';
import { issuerSchema } from '../../shared/access/issuer-settings.ts';
import { openIdIssuer } from '../../shared/access/open-id-issuer.ts';
import type { CardFields } from '../../shared/agent/card-fields.ts';
import { TokenIssuer } from '../doubles/token-issuer.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { detailsOf, type Headers, request, rpc, say } from './calls.ts';
import { echo, type EdgeServer, edgeServer } from './edge-server.ts';

const CARD = '/.well-known/agent-card.json';
const KEY = 'hfk_of_ada';
let edge: EdgeServer;
afterEach(() => edge.close());

/** The edge, asking for API keys and tokens of one issuer. */
async function opened(
  more: Partial<AccessOptions> = {},
  over: object = {},
  agents: readonly CardFields[] = [echo],
) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const issuer = new TokenIssuer(clock);
  const { audience, fetchJson, issuer: name } = issuer;
  const settings = issuerSchema.parse({ issuer: name, audience, ...over });
  const keys = apiKeyCheck((text) =>
    Promise.resolve(text === KEY ? { owner: 'ada', tenant: 'acme' } : undefined),
  );
  const tokens = bearerCheck([openIdIssuer('oidc', settings, { clock, fetchJson })]);
  const access = createAccess({ checks: [keys, tokens], anonymous: false, ...more });
  edge = await edgeServer({ access, agents, v03: true });
  return issuer;
}

const part = { kind: 'text', text: 'hello' };
const old = { kind: 'message', messageId: 'm', role: 'user', parts: [part] };
const CALLS: readonly (readonly [string, (headers: Headers) => ReturnType<typeof request>])[] = [
  ['JSON-RPC', (headers) => rpc(edge, 'SendMessage', say('hello'), headers)],
  ['HTTP+JSON', (headers) => request(edge, 'POST', '/message:send', say('hello'), headers)],
  ['a list', (headers) => request(edge, 'GET', '/tasks', undefined, headers)],
  [
    'JSON-RPC of v0.3',
    (headers) => rpc(edge, 'message/send', { message: old }, { ...headers, 'A2A-Version': '0.3' }),
  ],
  [
    'HTTP+JSON of v0.3',
    (headers) =>
      request(
        edge,
        'POST',
        '/v1/message:send',
        { message: { message_id: 'm', role: 'ROLE_USER', content: [{ text: 'hello' }] } },
        { ...headers, 'A2A-Version': '0.3' },
      ),
  ],
];

describe.each(CALLS)('a request over %s', (_, call) => {
  test('that shows nothing is 401, and the challenge says every way', async () => {
    await opened();
    const answer = await call({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      'ApiKey realm="a2a", header="X-API-Key", Bearer realm="a2a"',
    );
    expect(detailsOf(answer.body).reasons).toEqual(['a2a-protocol.org/UNAUTHENTICATED']);
    expect(edge.service.tasks.size).toBe(0);
  });

  test.each<[string, Headers]>([
    ['an unknown key', { 'X-API-Key': 'hfk_of_eve' }],
    ['a token that is none', { Authorization: 'Bearer x' }],
    ['another scheme', { Authorization: `Basic ${btoa('ada:secret')}` }],
    ['a wrong key beside what may be right', { 'X-API-Key': 'x', Authorization: 'Bearer x' }],
  ])('that shows %s is 401', async (_name, headers) => {
    await opened();
    expect((await call(headers)).status).toBe(401);
  });

  test('that shows a key or a token is answered', async () => {
    const issuer = await opened();
    expect((await call({ 'X-API-Key': KEY })).status).toBe(200);
    expect((await call({ Authorization: `Bearer ${await issuer.sign()}` })).status).toBe(200);
  });

  test('of a caller who is known, and may not, is 403', async () => {
    const issuer = await opened({}, { scope: 'agents' });
    const answer = await call({ Authorization: `Bearer ${await issuer.sign()}` });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(detailsOf(answer.body).reasons).toEqual(['a2a-protocol.org/PERMISSION_DENIED']);
  });

  test('whose token can not be checked is 503 with Retry-After, and no 401', async () => {
    const issuer = await opened();
    issuer.answer = () => Promise.reject(new Error('a-secret-place is away'));
    const answer = await call({ Authorization: `Bearer ${await issuer.sign()}` });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(answer.text).not.toContain('a-secret-place');
    expect(JSON.stringify(edge.log)).toContain('Unavailable');
    expect(JSON.stringify(edge.log)).not.toContain('a-secret-place');
  });
});

describe('a tenant that a request names', () => {
  test('is the own one, or 403: the same for a tenant of others as for none', async () => {
    await opened();
    const headers = { 'X-API-Key': KEY };
    expect((await request(edge, 'GET', '/acme/tasks', undefined, headers)).status).toBe(200);
    expect((await rpc(edge, 'ListTasks', { tenant: 'acme' }, headers)).status).toBe(200);
    for (const tenant of ['other', 'ACME', 'acme2']) {
      const rest = await request(edge, 'GET', `/${tenant}/tasks`, undefined, headers);
      const overRpc = await rpc(edge, 'SendMessage', { tenant, ...say('hello') }, headers);
      expect([rest.status, overRpc.status]).toEqual([403, 403]);
      expect(rest.text).not.toContain(tenant);
    }
    expect(edge.service.tasks.size).toBe(0);
  });

  test('need not be named: a caller works in its own', async () => {
    const issuer = await opened({}, { tenant: 'org' });
    await rpc(edge, 'SendMessage', say('hello'), { 'X-API-Key': KEY });
    const token = await issuer.sign({ org: 'globex' });
    await rpc(edge, 'SendMessage', say('hello'), { Authorization: `Bearer ${token}` });
    expect(edge.service.sent.map(({ principal }) => principal)).toEqual([
      { agent: 'echo', tenant: 'acme', owner: 'ada', authenticated: true },
      {
        agent: 'echo',
        tenant: 'globex',
        owner: 'https://issuer.example#ada',
        authenticated: true,
      },
    ]);
  });
});

describe('the agent card', () => {
  const schemes = {
    apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
    oidc: {
      openIdConnectSecurityScheme: {
        openIdConnectUrl: 'https://issuer.example/.well-known/openid-configuration',
      },
    },
  };

  test('is read by everybody, and says what is asked for', async () => {
    await opened();
    const { body, status } = await request(edge, 'GET', CARD);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      securitySchemes: schemes,
      securityRequirements: [
        { schemes: { apiKey: { list: [] } } },
        { schemes: { oidc: { list: [] } } },
      ],
    });
    // As the official SDK reads it.
    const card = AgentCard.fromJSON(body);
    expect(Object.keys(card.securitySchemes)).toEqual(['apiKey', 'oidc']);
    expect(card.securitySchemes['apiKey']?.scheme?.$case).toBe('apiKeySecurityScheme');
    expect(card.securityRequirements).toHaveLength(2);
  });

  test('of v0.3 says the same in its own words', async () => {
    await opened();
    const { body } = await request(edge, 'GET', CARD, undefined, { 'A2A-Version': '' });
    expect(body).toMatchObject({
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        oidc: {
          type: 'openIdConnect',
          openIdConnectUrl: 'https://issuer.example/.well-known/openid-configuration',
        },
      },
      security: [{ apiKey: [] }, { oidc: [] }],
    });
  });

  test('says what a platform asks besides, and where nothing need be shown', async () => {
    const scheme = { kind: 'bearer', format: 'JWT', description: 'Of the platform.' } as const;
    await opened({ anonymous: true, front: { name: 'platform', scheme } });
    const { body } = await request(edge, 'GET', CARD);
    expect(body).toMatchObject({
      securitySchemes: { platform: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [
        { schemes: { platform: { list: [] }, apiKey: { list: [] } } },
        { schemes: { platform: { list: [] }, oidc: { list: [] } } },
        { schemes: { platform: { list: [] } } },
      ],
    });
  });

  test('says nothing where callers are asked for nothing', async () => {
    edge = await edgeServer({ access: createAccess({ checks: [], anonymous: true }) });
    const { body } = await request(edge, 'GET', CARD);
    expect(body).not.toHaveProperty('securitySchemes');
    expect(body).not.toHaveProperty('securityRequirements');
  });
});

test('where callers may show nothing, what they show wrong is still refused', async () => {
  await opened({ anonymous: true });
  expect((await request(edge, 'GET', '/tasks')).status).toBe(200);
  for (const headers of [{ 'X-API-Key': 'x' }, { Authorization: 'Bearer x' }])
    expect((await request(edge, 'GET', '/tasks', undefined, headers)).status).toBe(401);
});

describe('the extended card', () => {
  const hidden = { id: 'hidden', name: 'Hidden', description: 'For those we know.', tags: ['x'] };
  const agents = [{ ...echo, extended: { description: 'More of it.', skills: [hidden] } }];
  const GETS: readonly (readonly [string, (headers: Headers) => ReturnType<typeof request>])[] = [
    ['JSON-RPC', (headers) => rpc(edge, 'GetExtendedAgentCard', {}, headers)],
    [
      'HTTP+JSON',
      (headers) => request(edge, 'GET', '/agents/echo/extendedAgentCard', undefined, headers),
    ],
    [
      'JSON-RPC of v0.3',
      (headers) =>
        rpc(edge, 'agent/getAuthenticatedExtendedCard', {}, { ...headers, 'A2A-Version': '0.3' }),
    ],
    [
      'HTTP+JSON of v0.3',
      (headers) =>
        request(edge, 'GET', '/v1/card', undefined, { ...headers, 'A2A-Version': '0.3' }),
    ],
  ];
  const cardIn = ({ body }: { body: unknown }) => {
    const { result, ...card } = body as { result?: object };
    return result ?? card;
  };

  test.each(GETS)('over %s is for callers who prove who they are', async (_, ask) => {
    await opened({}, {}, agents);
    expect((await ask({})).status).toBe(401);
    const answer = await ask({ 'X-API-Key': KEY });
    expect(answer.status).toBe(200);
    expect(cardIn(answer)).toMatchObject({
      name: 'echo',
      description: 'More of it.',
      skills: [{ id: 'echo' }, { id: 'hidden' }],
      securitySchemes: { apiKey: {} },
    });
  });

  test('is announced by the public card, which shows nothing of it', async () => {
    await opened({}, {}, agents);
    const { body, text } = await request(edge, 'GET', CARD);
    expect(body).toMatchObject({ capabilities: { extendedAgentCard: true } });
    expect(text).not.toMatch(/hidden|More of it/);
    const old = await request(edge, 'GET', CARD, undefined, { 'A2A-Version': '' });
    expect(old.body).toMatchObject({ supportsAuthenticatedExtendedCard: true });
    expect(old.text).not.toMatch(/hidden|More of it/);
  });

  test('is 401 for a caller who shows nothing where that is let in', async () => {
    await opened({ anonymous: true }, {}, agents);
    for (const [, ask] of GETS) {
      const answer = await ask({});
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('ApiKey');
    }
  });

  test('is not there where no caller can be known, and where the agent says nothing more', async () => {
    edge = await edgeServer({ agents, v03: true });
    const open = await request(edge, 'GET', '/extendedAgentCard');
    expect(detailsOf(open.body).reasons).toContain('a2a-protocol.org/UNSUPPORTED_OPERATION');
    expect((await request(edge, 'GET', CARD)).body).toMatchObject({
      capabilities: { extendedAgentCard: false },
    });
    await edge.close();
    await opened();
    const none = await request(edge, 'GET', '/extendedAgentCard', undefined, { 'X-API-Key': KEY });
    expect(none.status).toBe(400);
  });
});
