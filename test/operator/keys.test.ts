import { describe, expect, it } from 'vitest';
import { createFindApiKey } from '../../shared/app/callers/find-api-key.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { approvalWorld } from './worlds.ts';

interface Made {
  readonly key: { readonly id: string; readonly owner: string };
  readonly text: string;
}
interface Page {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

async function opened() {
  const world = await approvalWorld();
  const { app } = world.world;
  const find = createFindApiKey({ store: app.store, clock: app.clock, memory: 0 });
  const make = async (body: object) => {
    const answer = await world.api.post('/keys', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as unknown as Made;
  };
  const list = async () => ((await world.api.get('/keys')).body as unknown as Page).keys;
  return { ...world, app, find, make, list };
}

describe('API keys of callers', () => {
  it('are shown once, and only their hash is kept', async () => {
    const { app, find, list, make } = await opened();
    const { key, text } = await make({ owner: 'ada', tenant: 'acme', label: 'laptop' });
    expect(text).toMatch(/^hfk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(await find(text)).toEqual({ id: key.id, owner: 'ada', tenant: 'acme' });
    expect(await list()).toEqual([
      {
        id: key.id,
        owner: 'ada',
        tenant: 'acme',
        label: 'laptop',
        createdAt: new Date(app.clock.now()).toISOString(),
      },
    ]);
    const secret = text.slice(text.lastIndexOf('_') + 1);
    const doc = { path: `apiKeys/${key.id}`, codec: { decode: (fields: object) => fields } };
    expect(JSON.stringify(await app.store.get(doc))).not.toContain(secret);
  });

  it('let no one in once they are revoked, and stay in the list', async () => {
    const { api, find, list, make } = await opened();
    const { key, text } = await make({ owner: 'ada' });
    expect((await api.post(`/keys/${key.id}/revoke`)).status).toBe(200);
    expect(await find(text)).toBeUndefined();
    expect((await list())[0]).toHaveProperty('revokedAt');
    // Again changes nothing.
    expect((await api.post(`/keys/${key.id}/revoke`)).status).toBe(200);
  });

  it('expire when their days are over', async () => {
    const { find, make, world } = await opened();
    const { text } = await make({ owner: 'ada', days: 1 });
    expect(await find(text)).toMatchObject({ owner: 'ada' });
    await world.clock.advance(86_400_000);
    expect(await find(text)).toBeUndefined();
  });

  it.each([
    [{ owner: ' ' }, 'owner'],
    [{ owner: 'a\u202eb' }, 'owner'],
    [{ owner: 'ada', tenant: 'a/b' }, 'tenant'],
    [{ owner: 'ada', tenant: 'tasks' }, 'tenant'],
    [{ owner: 'ada', days: 0 }, 'days'],
    [{ owner: 'ada', more: 1 }, 'more'],
  ])('are not made of %j: the error names the field', async (body, field) => {
    const { api, list } = await opened();
    const answer = await api.post('/keys', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { field } } });
    expect(await list()).toEqual([]);
  });

  it('that there are not can not be revoked', async () => {
    const { api } = await opened();
    for (const id of ['0000000000000000', 'x', '..', 'ABCDEF0123456789'])
      expect(await api.post(`/keys/${encodeURIComponent(id)}/revoke`)).toMatchObject({
        status: 404,
      });
  });

  it('are for operators alone who have that right on every agent', async () => {
    const { api, make, team } = await opened();
    const { key } = await make({ owner: 'ada' });
    team.members.set('elsewhere', { may: RIGHTS, agent: 'another' });
    const calls = [
      ['GET', '/keys'],
      ['POST', '/keys', { owner: 'mallory' }],
      ['POST', `/keys/${key.id}/revoke`, {}],
    ] as const;
    for (const [method, path, body] of calls) {
      for (const who of ['not-keys', 'nobody', 'elsewhere', 'view'])
        expect((await api.ask(method, path, who, body)).status, who).toBe(403);
      expect((await api.ask(method, path, undefined, body)).status).toBe(401);
      expect((await api.ask(method, path, 'keys', body)).status).toBe(200);
    }
  });
});
