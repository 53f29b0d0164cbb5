import { afterEach, describe, expect, test } from 'vitest';
import { createOwnerRates } from '../../shared/app/limits/owner-rates.ts';
import { withOwnerRates } from '../../shared/app/limits/rated-access.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { PrincipalOf } from '../../shared/ports/access.ts';
import { createStore } from '../../shared/store/store.ts';
import { MemoryBackend } from '../../testing/memory-backend.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { detailsOf, request, rpc, say } from './calls.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
afterEach(() => edge.close());

describe('requests of one owner', () => {
  const asked: PrincipalOf = (headers) => {
    const owner = headers['x-user']?.[0] ?? '';
    return Promise.resolve({ owner, authenticated: owner !== '' });
  };

  async function rated() {
    const clock = new VirtualClock();
    const store = createStore({
      backend: new MemoryBackend(),
      clock,
      ids: seededIds(1),
      deadline: 8_000,
    });
    const rates = createOwnerRates({ clock, store, settings: { ownerRequests: 1 } });
    edge = await edgeServer({ access: { principalOf: withOwnerRates(asked, rates) } });
    return clock;
  }

  test('over the rate are refused on both bindings, with the limit and when to come again', async () => {
    const clock = await rated();
    const ada = { 'X-User': 'ada' };
    for (let n = 0; n < 10; n += 1) {
      expect((await request(edge, 'GET', '/tasks', undefined, ada)).status).toBe(200);
    }
    for (const answer of [
      await request(edge, 'GET', '/tasks', undefined, ada),
      await rpc(edge, 'ListTasks', {}, ada),
    ]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
      expect(answer.text).toContain('limit ownerRequests: 1 a second');
      expect(answer.text).toContain('RESOURCE_EXHAUSTED');
    }
    expect((await request(edge, 'GET', '/tasks', undefined, { 'X-User': 'ben' })).status).toBe(200);
    await clock.advance(1_000);
    expect((await request(edge, 'GET', '/tasks', undefined, ada)).status).toBe(200);
    expect((await request(edge, 'GET', '/tasks', undefined, ada)).status).toBe(429);
  });

  test('of callers who can not be told apart are not counted', async () => {
    await rated();
    for (let n = 0; n < 20; n += 1) {
      expect((await request(edge, 'GET', '/tasks')).status).toBe(200);
    }
  });
});

describe('the values of a request', () => {
  test('at the limit are taken, and one more is refused before any of them is made', async () => {
    const body = JSON.stringify(say('hello'));
    // Its objects and its array, and what stands between their commas.
    const values = body.replace(/"[^"]*"/g, '').replace(/[^,[{]/g, '').length + 1;
    for (const requestValues of [values, values - 1]) {
      edge = await edgeServer({ settings: { ...defaults, requestValues } });
      const answer = await request(edge, 'POST', '/message:send', body);
      const refused = requestValues < values;
      expect(answer.status).toBe(refused ? 400 : 200);
      if (refused) {
        expect(detailsOf(answer.body).reasons).toContain('holdfast/TOO_MANY_VALUES');
        expect(answer.text).toContain(`more than ${requestValues} values`);
        const called = await rpc(edge, 'SendMessage', say('hello'));
        expect(called.body).toMatchObject({ error: { code: -32600 } });
      } else await edge.close();
    }
  });
});
