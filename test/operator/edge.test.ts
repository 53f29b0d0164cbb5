import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../shared/ports/faults.ts';
import { API, description } from '../../shared/operator/described.ts';
import { ERRORS } from '../../shared/operator/error-table.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { approvalWorld, type Asking } from './worlds.ts';

async function raw({ api, taskId }: Asking, init: RequestInit) {
  const url = `${api.url}/runs/${taskId}/cancel`;
  const headers = { Authorization: 'Bearer all', ...(init.headers as Record<string, string>) };
  const response = await fetch(url, { method: 'POST', ...init, headers });
  return { status: response.status, body: (await response.json()) as { error: { code: string } } };
}

const json = { 'Content-Type': 'application/json' };

describe('a request that is no good', () => {
  it.each([
    ['a form, which any page could send', { body: 'a=b' }, 415, 'MEDIA_TYPE_REFUSED'],
    ['no body', {}, 415, 'MEDIA_TYPE_REFUSED'],
    [
      'an unknown encoding',
      { headers: { ...json, 'Content-Encoding': 'rot13' }, body: '{}' },
      415,
      'MEDIA_TYPE_REFUSED',
    ],
    ['no JSON', { headers: json, body: '{' }, 400, 'PARSE_ERROR'],
    ['a text', { headers: json, body: '"{}"' }, 400, 'PARSE_ERROR'],
    ['a depth', { headers: json, body: `${'['.repeat(200)}${']'.repeat(200)}` }, 400, 'TOO_DEEP'],
    ['an unknown key', { headers: json, body: '{"force":true}' }, 400, 'INVALID_PARAMS'],
    [
      'a large body',
      { headers: json, body: `{"a":"${'x'.repeat(2_000_000)}"}` },
      413,
      'BODY_TOO_LARGE',
    ],
  ])('with %s is refused in JSON, and changes nothing', async (_, init, status, code) => {
    const asking = await approvalWorld();
    const answer = await raw(asking, init);
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect(await asking.world.state(asking.taskId)).toBe('AUTH_REQUIRED');
  });

  it('for a path or a method that there is not says so', async () => {
    const { api } = await approvalWorld();
    expect(await api.get('/nothing')).toMatchObject({
      status: 404,
      body: { error: { code: 'ROUTE_NOT_FOUND' } },
    });
    const answer = await api.ask('DELETE', '/runs', 'all');
    expect(answer).toMatchObject({ status: 405, body: { error: { code: 'METHOD_NOT_ALLOWED' } } });
    expect(answer.headers.get('allow')).toBe('GET');
  });
});

describe('a fault', () => {
  it.each([
    ['of the store', new Unavailable('the store'), 503, 'UNAVAILABLE'],
    ['of ours', new Error('with a-secret-word in it'), 500, 'INTERNAL'],
  ])('%s is answered without its words', async (_, fault, status, code) => {
    let broken = false;
    const wrap = (backend: Backend): Backend => ({
      ...backend,
      read: (paths) => (broken ? Promise.reject(fault) : backend.read(paths)),
      commit: (...given) => backend.commit(...given),
      query: (...given) => backend.query(...given),
      count: (...given) => backend.count(...given),
      follow: (...given) => backend.follow(...given),
      watch: (path, signal) => backend.watch(path, signal),
      close: () => backend.close(),
    });
    const { api, taskId, world } = await approvalWorld({ wrap });
    broken = true;
    const answer = await api.get(`/runs/${taskId}`);
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect(JSON.stringify([answer.body, world.logged])).not.toContain('a-secret-word');
    expect(JSON.stringify(answer.body)).not.toMatch(/at .*\.ts/);
  });
});

describe('the log', () => {
  it('has a line for each request, without ids, names or content', async () => {
    const { api, taskId, world } = await approvalWorld();
    world.logged.length = 0;
    await api.get(`/runs/${taskId}`);
    await expect.poll(() => world.logged.length).toBe(1);
    expect(world.logged).toEqual([
      {
        event: 'operator.request',
        fields: {
          operation: 'getRun',
          failure: undefined,
          httpMethod: 'GET',
          status: 200,
          complete: true,
          milliseconds: 0,
        },
      },
    ]);
  });
});

describe('the description (OpenAPI 3.1)', () => {
  const file = new URL('../../docs/openapi.json', import.meta.url);

  it('is served as it lies in the repository', async () => {
    const { api } = await approvalWorld();
    const served = await api.get('/openapi.json', undefined);
    expect(served.body).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('names each operation, its errors by status, and no schema that is not there', () => {
    const text = JSON.stringify(description());
    const paths = description()['paths'] as Record<string, Record<string, Described>>;
    const schemas = (description()['components'] as { schemas: object }).schemas;
    for (const { errors = [], id, method, path } of API) {
      const described = paths[path]?.[method.toLowerCase()];
      expect(described?.operationId).toBe(id);
      for (const code of errors)
        expect(described?.responses[ERRORS[code].http]?.description).toContain(`\`${code}\``);
    }
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
      expect(Object.keys(schemas)).toContain(name);
  });
});

interface Described {
  readonly operationId: string;
  readonly responses: Record<string, { readonly description: string }>;
}
