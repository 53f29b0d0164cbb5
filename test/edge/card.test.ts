import { afterEach, describe, expect, test } from 'vitest';
import { type A2AAppOptions, createA2AApp } from '../../shared/a2a/app.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { FakeTaskService } from '../doubles/fake-task-service.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { request } from './calls.ts';
import { echo, type EdgeServer, edgeServer } from './edge-server.ts';

const CARD = '/.well-known/agent-card.json';
const NONE = { 'A2A-Version': '' };
let edge: EdgeServer;
afterEach(() => edge.close());

async function card(options: Partial<A2AAppOptions> = {}, path = CARD, headers = {}) {
  edge = await edgeServer(options);
  return request(edge, 'GET', path, undefined, { ...NONE, ...headers });
}

describe('the agent card', () => {
  test('is pure v1.0, as ProtoJSON, with both bindings at the base URL', async () => {
    const { body } = await card({ baseUrl: 'https://agents.example/' });
    const url = 'https://agents.example';
    expect(body).toEqual({
      name: 'echo',
      description: 'Repeats what it is told.',
      version: '1.2.3',
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'echo', name: 'Echo', description: 'Repeats.', tags: ['test'] }],
    });
  });

  test('carries every optional field that the author gave, and no other', async () => {
    const extra = {
      displayName: 'The Echo',
      provider: { organization: 'Acme', url: 'https://acme.example' },
      documentationUrl: 'https://acme.example/docs',
      iconUrl: 'https://acme.example/icon.png',
      extensions: [{ uri: 'https://acme.example/ext/v1', required: false }],
    };
    const { body } = await card({ agents: [{ ...echo, ...extra }] });
    const { displayName, extensions, ...shown } = extra;
    expect(body).toMatchObject({ ...shown, name: displayName, capabilities: { extensions } });
    expect(body).not.toHaveProperty('displayName');
  });

  test('of an agent by name lists the URL of that agent', async () => {
    const { body } = await card({ baseUrl: 'https://a.example/x' }, `/agents/echo${CARD}`);
    expect(body).toMatchObject({
      supportedInterfaces: [{ url: 'https://a.example/x/agents/echo' }, {}],
    });
  });

  test('may be cached and asked for again for nothing', async () => {
    const first = await card();
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect(first.headers.get('cache-control')).toMatch(/max-age=\d+/);
    expect(etag).toMatch(/^"[0-9a-f]+"$/);
    expect(modified).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    expect(first.headers.get('vary')).toBeNull();
    for (const headers of [{ 'If-None-Match': etag }, { 'If-Modified-Since': modified }]) {
      const again = await request(edge, 'GET', CARD, undefined, headers);
      expect([again.status, again.text]).toEqual([304, '']);
    }
    const other = await request(edge, 'GET', CARD, undefined, { 'If-None-Match': '"other"' });
    expect(other.status).toBe(200);
  });

  test('answers HEAD without a body', async () => {
    await card();
    const head = await request(edge, 'HEAD', CARD);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('etag')).not.toBeNull();
  });
});

describe('with v0.3 on', () => {
  test('a request without a version gets the v0.3 card, and caches are told', async () => {
    const { body, headers } = await card({ v03: true, baseUrl: 'https://a.example' });
    expect(headers.get('vary')).toBe('A2A-Version');
    expect(body).toMatchObject({
      protocolVersion: '0.3.0',
      url: 'https://a.example',
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ transport: 'JSONRPC' }, { transport: 'HTTP+JSON' }],
    });
  });

  test('a v1.0 request gets the v1.0 card, 1.0 interfaces first', async () => {
    const { body } = await card({ v03: true }, CARD, { 'A2A-Version': '1.0' });
    expect(body).toMatchObject({
      supportedInterfaces: ['1.0', '1.0', '0.3', '0.3'].map((protocolVersion) => ({
        protocolVersion,
      })),
    });
    expect(body).not.toHaveProperty('protocolVersion');
  });
});

describe('the base URL', () => {
  const forwarded = { 'X-Forwarded-Host': 'public.example', 'X-Forwarded-Proto': 'https, http' };
  const urlOf = (body: unknown) =>
    (body as { supportedInterfaces: { url: string }[] }).supportedInterfaces[0]?.url;

  test('is what the request says', async () => {
    const { body } = await card();
    expect(urlOf(body)).toBe(edge.url);
  });

  test('believes a proxy only when told to', async () => {
    expect(urlOf((await card({}, CARD, forwarded)).body)).toBe(edge.url);
    await edge.close();
    const secure = await card({ trustForwarded: 'proto' }, CARD, forwarded);
    expect(urlOf(secure.body)).toBe(edge.url.replace('http:', 'https:'));
    await edge.close();
    const { body } = await card({ trustForwarded: 'proto-and-host' }, CARD, forwarded);
    expect(urlOf(body)).toBe('https://public.example');
  });

  test('never holds a host that is none', async () => {
    const evil = { ...forwarded, 'X-Forwarded-Host': 'a.example/"><script>' };
    const { body } = await card({ trustForwarded: 'proto-and-host' }, CARD, evil);
    expect(urlOf(body)).toBe('https://localhost');
  });
});

describe('an app that can not be served is refused when it is made', () => {
  const make = (options: Partial<A2AAppOptions>) => () =>
    createA2AApp({
      service: new FakeTaskService(),
      clock: new VirtualClock(Date.UTC(2026, 0, 1)),
      settings: defaults,
      agents: [echo],
      log: { write: () => undefined },
      ...options,
    });

  test('an invalid card, with everything that is wrong', async () => {
    edge = await edgeServer();
    const bad = { ...echo, description: ' ', skills: [], iconUrl: 'no url' };
    expect(make({ agents: [bad] })).toThrow(
      'The agent "echo" has no valid card: description is missing. skills needs at least one entry. "no url" is not a URL.',
    );
  });

  test('a default agent that is not there', async () => {
    edge = await edgeServer();
    expect(make({ defaultAgent: 'nope' })).toThrow('The default agent nope');
  });

  test('without a default agent the root is empty, and the agents are where they are', async () => {
    const root = await card({ defaultAgent: 'echo' });
    expect(root.status).toBe(200);
    await edge.close();
    const agents = [{ ...echo, name: 'other' }];
    edge = await edgeServer({ agents, defaultAgent: 'other' });
    expect((await request(edge, 'GET', `/agents/other${CARD}`)).status).toBe(200);
    expect((await request(edge, 'GET', `/agents/echo${CARD}`)).status).toBe(404);
  });
});
