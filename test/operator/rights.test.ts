import { describe, expect, it } from 'vitest';
import { API } from '../../shared/operator/described.ts';
import type { Operation } from '../../shared/operator/operation.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { rowOf } from '../app/turn-loop-world.ts';
import { approvalWorld, filesWorld, parkedWorld, unknownWorld } from './worlds.ts';

const guarded = API.filter(({ right }) => right !== 'none');
// API keys, agents, schedules, remotes and targets are no run's:
// test/operator/{keys,agents,schedules,remotes,notices}.test.ts.
const ofOthers = guarded.filter(({ path }) =>
  /^\/(keys|agents|remotes|notices|schedules)/.test(path),
);
const ofRuns = guarded.filter((each) => !ofOthers.includes(each));
const ofOneRun = ofRuns.filter(({ path }) => path.includes('{id}'));
const ofAll = ofRuns.filter(({ path }) => !path.includes('{id}'));
const names = (operations: readonly Operation[]) =>
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

/** A run that each operation could do something to, for an operator who may. */
async function setting({ path }: Operation) {
  if (path.startsWith('/sends')) {
    const { api, send, team, world, taskId } = await unknownWorld();
    return { api, team, world, taskId, path: path.replace('{id}', send) };
  }
  if (path.startsWith('/webhooks')) {
    const { api, name, team, world, taskId } = await parkedWorld();
    return { api, team, world, taskId, path: path.replace('{id}', name) };
  }
  if (/\/(?:files|commits|file|download)$/.test(path)) {
    const { api, team, world, taskId } = await filesWorld();
    const one = /file$|download$/.test(path) ? '?path=a.json' : '';
    return { api, team, world, taskId, path: path.replace('{id}', taskId) + one };
  }
  const { api, taskId, team, world } = await approvalWorld();
  return { api, team, world, taskId, path: path.replace('{id}', taskId) };
}

async function bodyOf({ body, id }: Operation, path: string, world: Parameters<typeof rowOf>[0]) {
  if (body === undefined) return undefined;
  if (id === 'continueRun') return { digest: 'of-no-change' };
  if (id === 'retryRun') return { requestId: 'one' };
  if (id === 'forkRun') return { requestId: 'one', from: 1 };
  if (id === 'link') return { taskId: 'remote-task-1' };
  if (id === 'deliverEvent') return { name: 'paid' };
  if (id !== 'decide') return {};
  const run = await rowOf(world, path.split('/')[2] ?? '');
  const digest = 'digest' in run ? run.digest : undefined;
  return { kind: 'approve', pauseGeneration: run.pauseGeneration, digest };
}

describe('who may do what', () => {
  it('covers every operation that is not for everybody', () => {
    expect(API.filter(({ right }) => right === 'none').map(({ path }) => path)).toEqual([
      '/',
      '/openapi.json',
    ]);
    expect(new Set(guarded.map(({ right }) => right))).toEqual(
      new Set([
        'any',
        'view',
        'decide',
        'send',
        'cancel',
        'pause',
        'retry',
        'try',
        'keys',
        'audit',
      ]),
    );
  });

  it.each(names(guarded))(
    '%s is 401 for a request that names no operator',
    async (_, operation) => {
      const { api, path, world } = await setting(operation);
      const body = await bodyOf(operation, path, world);
      const answer = await api.ask(operation.method, path, undefined, body);
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it.each(names(ofAll))('%s is 403 for an operator without any right', async (_, operation) => {
    const { api, path } = await setting(operation);
    const answer = await api.ask(operation.method, path, 'nobody');
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'PERMISSION_DENIED' } } });
  });

  it.each(names(ofOneRun))(
    '%s answers the same 404 for a run that may not be seen as for one that is not there',
    async (_, operation) => {
      const { api, path, world } = await setting(operation);
      const body = await bodyOf(operation, path, world);
      const unseen = await api.ask(operation.method, path, 'nobody', body);
      const absent = path.replace(/[0-9a-f]{8}-/, '00000000-');
      const missing = await api.ask(operation.method, absent, 'all', body);
      expect(unseen.status).toBe(404);
      expect(missing.status).toBe(404);
      expect(unseen.body).toEqual(missing.body);
    },
  );

  it.each(
    names(ofOneRun).flatMap(([name, operation]) =>
      RIGHTS.filter((right) => right !== operation.right).map(
        (right) => [name, right, operation] as const,
      ),
    ),
  )('%s with nothing but the right %s', async (_, right, operation) => {
    const { api, path, taskId, world } = await setting(operation);
    const before = JSON.stringify(await rowOf(world, taskId));
    const body = await bodyOf(operation, path, world);
    const answer = await api.ask(operation.method, path, right, body);
    if (operation.right === 'any') expect(answer.status).toBe(200);
    else {
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'PERMISSION_DENIED' } } });
      expect(JSON.stringify(await rowOf(world, taskId))).toBe(before);
    }
  });

  it.each(names(ofOneRun.filter(({ right }) => right !== 'any')))(
    '%s is done for an operator who has just that right',
    async (_, operation) => {
      const { api, path, world } = await setting(operation);
      const body = await bodyOf(operation, path, world);
      const answer = await api.ask(operation.method, path, String(operation.right), body);
      // The remote of this world has no such task, its run is neither blocked nor over, and its
      // agent takes no events: an operator who is told so was let in.
      const others = ['link', 'continueRun', 'retryRun', 'forkRun'];
      const refused = operation.id === 'deliverEvent' ? 400 : 200;
      const expected = others.includes(operation.id) ? 409 : refused;
      expect(answer.status, JSON.stringify(answer.body)).toBe(expected);
    },
  );

  it('takes a right away from the next request on', async () => {
    const { api, taskId, team } = await approvalWorld();
    expect((await api.get(`/runs/${taskId}`, 'view')).status).toBe(200);
    team.members.set('view', { may: [] });
    expect((await api.get(`/runs/${taskId}`, 'view')).status).toBe(404);
  });

  it('is for the agents that it names', async () => {
    const { api, taskId, team } = await approvalWorld();
    team.members.set('elsewhere', { may: RIGHTS, agent: 'another' });
    expect((await api.get(`/runs/${taskId}`, 'elsewhere')).status).toBe(404);
    expect((await api.get('/inbox', 'elsewhere')).status).toBe(403);
  });
});

describe('content', () => {
  it.each(RIGHTS)(
    'is in no answer for an operator with nothing but %s, unless that is view',
    async (right) => {
      const { api, taskId } = await approvalWorld();
      const answers = await Promise.all([
        api.get(`/runs/${taskId}`, right),
        api.get('/runs', right),
        api.get('/inbox', right),
      ]);
      const text = JSON.stringify(answers.map(({ body }) => body as unknown));
      expect(text.includes('a-secret-word')).toBe(right === 'view');
      expect(text.includes('Erase what is at disk 1.')).toBe(right === 'view');
    },
  );

  it('can not be guessed from the digest of a send, which only view shows', async () => {
    const { api, taskId } = await unknownWorld();
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect((await api.get(`/runs/${taskId}`, 'view')).body.sends).toMatchObject([{ digest }]);
    const blind = (await api.get(`/runs/${taskId}`, 'not-view')).body;
    expect(blind.sends[0]).not.toHaveProperty('digest');
  });

  it('of a held call is in the inbox of an operator who may see it and decide', async () => {
    const { api, taskId } = await approvalWorld();
    const { body } = await api.get('/inbox');
    expect(body.decisions).toMatchObject([
      {
        id: taskId,
        kind: 'approval',
        generation: 1,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        asked: {
          calls: [
            {
              tool: 'erase',
              summary: 'Erase what is at disk 1.',
              arguments: { at: 'disk 1', secret: 'a-secret-word' },
            },
          ],
        },
      },
    ]);
    expect((await api.get('/inbox', 'not-decide')).body.decisions).toEqual([]);
    const blind = (await api.get('/inbox', 'not-view')).body.decisions;
    expect(blind).toHaveLength(1);
    expect(blind[0]).not.toHaveProperty('asked');
  });
});
