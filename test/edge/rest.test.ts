import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaults } from '../../shared/domain/settings.ts';
import { detailsOf, request, rpc, say } from './calls.ts';
import { echo, type EdgeServer, edgeServer } from './edge-server.ts';

let edge: EdgeServer;
let id = '';
beforeAll(async () => {
  edge = await edgeServer({ agents: [echo, { ...echo, name: 'other' }] });
});
afterAll(() => edge.close());
beforeEach(async () => {
  await rpc(edge, 'SendMessage', { ...say('hold'), configuration: { returnImmediately: true } });
  id = edge.service.only().taskId;
});

const JSON_TYPE = 'application/json; charset=utf-8';
const A2A_TYPE = 'application/a2a+json; charset=utf-8';

describe('routes', () => {
  test('an unknown path is a JSON 404', async () => {
    for (const path of ['/nope', '/tasks/a/b', '/a/b/c/d/e', '/tasks/%zz', '/agents/nope/tasks']) {
      const answer = await request(edge, 'GET', path);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
      expect(detailsOf(answer.body).reasons).toContain('holdfast/ROUTE_NOT_FOUND');
    }
  });

  test('an unknown agent is a JSON-RPC error to a JSON-RPC client', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'ListTasks' };
    const answer = await request(edge, 'POST', '/agents/nope', call);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32601 } });
  });

  test('a wrong method is a JSON 405 that names the right ones', async () => {
    const wrong = [
      ['DELETE', `/tasks/${id}`, 'GET'],
      ['GET', '/message:send', 'POST'],
      ['GET', `/tasks/${id}:cancel`, 'POST'],
      ['PUT', `/tasks/${id}:subscribe`, 'GET, POST'],
      ['POST', '/tasks', 'GET'],
      ['GET', '/', 'POST'],
      ['POST', '/.well-known/agent-card.json', 'GET, HEAD'],
    ] as const;
    for (const [method, path, allow] of wrong) {
      const answer = await request(edge, method, path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
      expect(answer.body).toMatchObject({ error: { code: 405 } });
    }
  });

  test('an encoded colon names the verb all the same', async () => {
    const answer = await request(edge, 'POST', `/tasks/${id}%3Acancel`, '');
    expect(answer.body).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
  });

  test('cancel takes an empty body of any announced type, and metadata', async () => {
    for (const [body, type] of [
      ['', 'application/json'],
      ['', 'text/plain'],
      ['{"metadata":{"why":"late"}}', 'application/json'],
    ] as const) {
      await rpc(edge, 'SendMessage', {
        ...say('hold'),
        configuration: { returnImmediately: true },
      });
      const task = edge.service.only().taskId;
      const answer = await request(edge, 'POST', `/tasks/${task}:cancel`, body, {
        'Content-Type': type,
      });
      expect(answer.status).toBe(200);
    }
  });

  test('each agent has its own tasks', async () => {
    expect((await request(edge, 'GET', `/agents/echo/tasks/${id}`)).status).toBe(200);
    expect((await request(edge, 'GET', `/agents/other/tasks/${id}`)).status).toBe(404);
  });

  test('a trailing slash changes nothing', async () => {
    expect((await request(edge, 'GET', `/tasks/${id}/`)).body).toMatchObject({ id });
  });
});

describe('tenants', () => {
  test('a tenant in the path, in the body or in the parameters is the same tenant', async () => {
    const ways = [
      () => request(edge, 'POST', '/acme/message:send', say('hello')),
      () => request(edge, 'POST', '/message:send', { ...say('hello'), tenant: 'acme' }),
      () => rpc(edge, 'SendMessage', { ...say('hello'), tenant: 'acme' }),
    ];
    for (const way of ways) {
      await way();
      expect(edge.service.sent.at(-1)?.principal.tenant).toBe('acme');
    }
    const listed = await request(edge, 'GET', '/acme/tasks');
    expect(listed.body).toMatchObject({ totalSize: 3 });
    expect((await request(edge, 'GET', '/tasks?tenant=acme')).body).toMatchObject({ totalSize: 3 });
  });

  test('a task of another tenant is not found', async () => {
    expect((await request(edge, 'GET', `/acme/tasks/${id}`)).status).toBe(404);
    expect((await request(edge, 'GET', `/tasks/${id}`)).status).toBe(200);
  });

  test('two different tenants in one request are refused', async () => {
    const answer = await request(edge, 'GET', '/acme/tasks?tenant=evil');
    expect(answer.status).toBe(400);
    expect(detailsOf(answer.body).fields).toEqual(['tenant']);
  });

  test.each(['extendedAgentCard', '.well-known', 'a%2fb', '%00', '..%2f..', 'x'.repeat(65)])(
    'the tenant %s is refused',
    async (tenant) => {
      const answer = await request(edge, 'GET', `/${tenant}/tasks`);
      expect(answer.status).toBe(400);
      expect(detailsOf(answer.body).fields).toEqual(['tenant']);
    },
  );

  test('a path that could name a tenant or a route names the route', async () => {
    expect((await request(edge, 'GET', '/tasks/tasks')).body).toMatchObject({
      error: { message: 'Task not found.' },
    });
    expect((await request(edge, 'GET', '/v1/tasks')).status).toBe(404);
  });
});

describe('versions', () => {
  const unsupported = 'a2a-protocol.org/VERSION_NOT_SUPPORTED';

  test.each(['99.0', '1.1', '2.0', '0.3', '0.3.0', '', '1', 'abc'])(
    'A2A-Version %j is refused on both bindings',
    async (version) => {
      const headers = { 'A2A-Version': version };
      const overRest = await request(edge, 'GET', '/tasks', undefined, headers);
      expect(overRest.status).toBe(400);
      expect(detailsOf(overRest.body).reasons).toEqual([unsupported]);
      const overRpc = await rpc(edge, 'ListTasks', {}, headers);
      expect(overRpc.body).toMatchObject({ id: 1, error: { code: -32009 } });
      expect(detailsOf(overRpc.body).reasons).toEqual([unsupported]);
    },
  );

  test.each(['1.0', '1.0.1', ' 1.0 '])('A2A-Version %j is 1.0', async (version) => {
    const headers = { 'A2A-Version': version };
    expect((await request(edge, 'GET', '/tasks', undefined, headers)).status).toBe(200);
    expect((await rpc(edge, 'ListTasks', {}, headers)).body).toMatchObject({ result: {} });
  });

  test('the query parameter does for the header', async () => {
    const headers = { 'A2A-Version': '' };
    const answer = await request(edge, 'GET', '/tasks?a2a-version=1.0', undefined, headers);
    expect(answer.status).toBe(200);
    const call = { jsonrpc: '2.0', id: 1, method: 'ListTasks' };
    const overRpc = await request(edge, 'POST', '/?A2A-Version=1.0', call, headers);
    expect(overRpc.body).toMatchObject({ result: {} });
  });

  test('with v0.3 on, each path speaks its own version only', async () => {
    const both = await edgeServer({ v03: true });
    const old = { 'A2A-Version': '' };
    expect((await request(both, 'GET', '/tasks', undefined, old)).status).toBe(400);
    expect((await request(both, 'GET', '/v1/tasks/x')).status).toBe(400);
    expect((await request(both, 'GET', '/v1/tasks/x', undefined, old)).status).toBe(404);
    expect((await request(both, 'GET', '/tasks')).status).toBe(200);
    await both.close();
  });
});

describe('media types', () => {
  test('a client that names a2a+json gets it, all others plain JSON', async () => {
    const path = `/tasks/${id}`;
    const get = async (headers: Record<string, string>) =>
      (await request(edge, 'GET', path, undefined, headers)).headers.get('content-type');
    expect(await get({})).toBe(JSON_TYPE);
    expect(await get({ Accept: 'application/json' })).toBe(JSON_TYPE);
    expect(await get({ Accept: 'text/html, application/a2a+json;q=0.9' })).toBe(A2A_TYPE);
    expect(await get({ 'Content-Type': 'application/a2a+json' })).toBe(A2A_TYPE);
    const posted = await request(edge, 'POST', '/message:send', say('hello'), {
      'Content-Type': 'Application/A2A+JSON; charset=UTF-8',
    });
    expect([posted.status, posted.headers.get('content-type')]).toEqual([200, A2A_TYPE]);
  });

  test('errors follow the same rule', async () => {
    const headers = { Accept: 'application/a2a+json' };
    const answer = await request(edge, 'GET', '/tasks/x', undefined, headers);
    expect(answer.headers.get('content-type')).toBe(A2A_TYPE);
    expect((await request(edge, 'GET', '/nope')).headers.get('content-type')).toBe(JSON_TYPE);
  });

  test.each(['text/plain', 'application/xml', 'application/json; charset=utf-16'])(
    'a body of %s is refused',
    async (type) => {
      const answer = await request(edge, 'POST', '/message:send', JSON.stringify(say('hello')), {
        'Content-Type': type,
      });
      expect(answer.status).toBe(415);
      expect(detailsOf(answer.body).reasons).toEqual([
        'a2a-protocol.org/CONTENT_TYPE_NOT_SUPPORTED',
      ]);
    },
  );

  test('a body that is no JSON is 400 with the reason PARSE_ERROR', async () => {
    const answer = await request(edge, 'POST', '/message:send', '{');
    expect(answer.status).toBe(400);
    expect(detailsOf(answer.body).reasons).toEqual(['a2a-protocol.org/PARSE_ERROR']);
  });

  test('a body over the limit is 413', async () => {
    const small = await edgeServer({
      settings: { ...defaults, requestBody: 1_000 },
    });
    const answer = await request(small, 'POST', '/message:send', say('x'.repeat(2_000)));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ error: { code: 413, status: 'INVALID_ARGUMENT' } });
    expect(detailsOf(answer.body).reasons).toContain('holdfast/BODY_TOO_LARGE');
    await small.close();
  });

  test('a large file within the limit is taken', async () => {
    const raw = Buffer.alloc(3 * 1024 * 1024, 7).toString('base64');
    const answer = await request(edge, 'POST', '/message:send', say('', { parts: [{ raw }] }));
    expect(answer.status).toBe(200);
  });

  test('no answer says what serves it', async () => {
    const answer = await request(edge, 'GET', `/tasks/${id}`);
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('etag')).toBeNull();
  });
});

describe('lists', () => {
  test('all four fields are there, also for an empty list', async () => {
    const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
    expect((await request(edge, 'GET', '/nobody/tasks')).body).toEqual(empty);
    expect((await rpc(edge, 'ListTasks', { tenant: 'nobody' })).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: empty,
    });
  });

  test('artifacts are left out unless asked for, and then there even when empty', async () => {
    await request(edge, 'POST', '/lists/message:send', say('ask'));
    const without = await request(edge, 'GET', '/lists/tasks');
    expect(without.text).not.toContain('artifacts');
    const withThem = await request(edge, 'GET', '/lists/tasks?includeArtifacts=true');
    expect(withThem.body).toMatchObject({ tasks: [{ artifacts: [] }] });
  });

  test('history is cut to what was asked for', async () => {
    const none = await request(edge, 'GET', '/lists/tasks?historyLength=0');
    expect(none.text).not.toContain('history');
    const one = await request(edge, 'GET', '/lists/tasks?historyLength=1');
    expect(one.body).toMatchObject({ tasks: [{ history: [{ role: 'ROLE_AGENT' }] }] });
  });
});
