import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAFT, withDraft } from '../../shared/a2a/draft.ts';
import { request } from './calls.ts';
import { echo, type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer({ agents: [withDraft(echo)], v03: true });
});
afterAll(() => edge.close());

const version = { 'A2A-Version': '1.0' };
const asked = { ...version, 'A2A-Extensions': DRAFT };

async function task(): Promise<string> {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  const { body } = await request(edge, 'POST', '/message:send', { message }, version);
  return (body as { readonly task: { readonly id: string } }).task.id;
}

describe('the draft of A2A 1.1', () => {
  it('is an extension of the card, and of no card of v0.3', async () => {
    const { body } = await request(edge, 'GET', '/.well-known/agent-card.json');
    expect(body?.['capabilities']).toMatchObject({ extensions: [{ uri: DRAFT }] });
    const old = { 'A2A-Version': '0.3' };
    const legacy = await request(edge, 'GET', '/.well-known/agent-card.json', undefined, old);
    expect(legacy.body?.['capabilities']).not.toHaveProperty('extensions');
  });

  it('is seen by none but who asks for it', async () => {
    const id = await task();
    const plain = await request(
      edge,
      'GET',
      `/tasks/${id}?currentGeneration=x`,
      undefined,
      version,
    );
    expect(plain.status).toBe(200);
    expect(plain.body).not.toHaveProperty('generation');
    const drafted = await request(edge, 'GET', `/tasks/${id}`, undefined, asked);
    expect(drafted.body).toMatchObject({ id, generation: '1' });
    const list = await request(edge, 'GET', '/tasks?pageSize=1', undefined, asked);
    expect(list.body).toMatchObject({ tasks: [{ generation: '1' }] });
    expect(drafted.headers.get('a2a-extensions')).toBe(DRAFT);
  });

  it('refuses what is no generation, by its name', async () => {
    const id = await task();
    const path = `/tasks/${id}?currentGeneration=x`;
    const { body, status } = await request(edge, 'GET', path, undefined, asked);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('currentGeneration: must be a generation');
  });
});
