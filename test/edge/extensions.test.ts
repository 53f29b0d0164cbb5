import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offering } from '../../shared/a2a/offers.ts';
import { TIMESTAMPS, TRACEABILITY } from '../../shared/domain/extensions.ts';
import { request } from './calls.ts';
import { echo, type EdgeServer, edgeServer } from './edge-server.ts';

const [IMPLEMENTED = '', ON_ITS_PAGE = ''] = TIMESTAMPS.map(({ uri }) => uri);

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer({ agents: [offering(echo, {})], v03: true });
});
afterAll(() => edge.close());

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'reply' }] };
const send = (headers: Readonly<Record<string, string>>) =>
  request(edge, 'POST', '/message:send', { message }, { 'A2A-Version': '1.0', ...headers });

describe('the extensions that the server carries out', () => {
  it('are optional, and in the cards of both versions', async () => {
    for (const version of ['1.0', '0.3']) {
      const { body } = await request(edge, 'GET', '/.well-known/agent-card.json', undefined, {
        'A2A-Version': version,
      });
      expect(body?.['capabilities']).toMatchObject({ extensions: TIMESTAMPS });
      expect(JSON.stringify(body?.['capabilities'])).not.toContain('required');
    }
  });

  it('leave what an author declares, and are declared once', () => {
    const own = { uri: IMPLEMENTED, description: 'mine', required: true };
    const { extensions } = offering({ ...echo, extensions: [own] }, { traceability: true });
    expect(extensions).toEqual([own, TIMESTAMPS[1], TRACEABILITY]);
  });

  it.each([
    ['A2A-Extensions', IMPLEMENTED],
    ['A2A-Extensions', ON_ITS_PAGE],
    ['X-A2A-Extensions', IMPLEMENTED],
  ])('are asked for by %s: %s, and said to be in effect', async (header, uri) => {
    const { headers } = await send({ [header]: `${uri}, urn:unknown` });
    expect(headers.get('a2a-extensions')).toBe(uri);
  });

  it('are in effect for no caller that asks for nothing', async () => {
    const { body, headers } = await send({});
    expect(headers.get('a2a-extensions')).toBeNull();
    expect(JSON.stringify(body)).not.toContain('a2a-samples');
  });

  it('tell no trace where an author alone declares it', async () => {
    const declared = { ...echo, extensions: [TRACEABILITY] };
    const other = await edgeServer({ agents: [declared] });
    const hello = { ...message, parts: [{ text: 'hello' }] };
    const asked = { 'A2A-Version': '1.0', 'A2A-Extensions': TRACEABILITY.uri };
    const { body, headers } = await request(
      other,
      'POST',
      '/message:send',
      { message: hello },
      asked,
    );
    await other.close();
    expect(headers.get('a2a-extensions')).toBe(TRACEABILITY.uri);
    expect(JSON.stringify(body)).not.toContain('trace_id');
  });
});
