import { describe, expect, it } from 'vitest';
import { openAt, passes, row } from '../app/waiting.ts';
import { finish } from '../app/turn-loop-world.ts';
import type { Shown } from './api.ts';
import { approvalWorld, overwrite, unknownWorld } from './worlds.ts';

describe('one run', () => {
  it('shows its revisions, segments, steps, sends, pauses and what it used', async () => {
    const { api, peer, send, taskId, world } = await unknownWorld();
    await passes(world, 10_000);
    await api.post(`/sends/${send}/resend`);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 30_000);
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body).toMatchObject({
      id: taskId,
      status: 'completed',
      open: false,
      spent: { rounds: 1, tokens: 10, delegations: 2 },
      limits: { rounds: 20, delegations: 5 },
      timeline: [
        { revision: 1, state: 'SUBMITTED' },
        { revision: 2, state: 'WORKING' },
        { revision: 3, state: 'COMPLETED' },
      ],
      steps: [
        { step: 1, kind: 'turn' },
        { step: 2, kind: 'result' },
      ],
      sends: [{ state: 'superseded' }, { state: 'acknowledged', replaces: send }],
      pauses: [{ generation: 1, kind: 'dependency', send, resolution: 'completed' }],
      decisions: [],
    });
    expect(body.segments).toHaveLength(2);
    for (const segment of body.segments) {
      const at = ['enqueued', 'dispatched', 'claimed', 'committed'].map((name) =>
        Date.parse(String(segment[name])),
      );
      expect(at).toEqual(at.toSorted((a, b) => a - b));
      const [enqueued = 0, , claimed = 0, committed = 0] = at;
      expect(segment).toMatchObject({ waited: claimed - enqueued, worked: committed - claimed });
    }
  });

  it('shows what it waits for, and when it is looked at next', async () => {
    const { api, peer, send, taskId, world } = await unknownWorld('after');
    const [found = ''] = openAt(peer);
    await api.post(`/sends/${send}/link`, { taskId: found });
    await passes(world, 30_000);
    const { dependency } = (await row(world, taskId)) as { dependency: { nextPollAt: number } };
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body).toMatchObject({
      waitsFor: { kind: 'dependency', remote: 'peer' },
      dependency: {
        nextLookAt: new Date(dependency.nextPollAt).toISOString(),
        failures: 0,
        send,
        operation: { taskId: found },
      },
    });
    expect(body.dependency.looks).toBeGreaterThan(0);
    expect((await api.get(`/runs/${taskId}`, 'not-view')).body.dependency).not.toHaveProperty(
      'operation',
    );
  });

  it('has content while it is open, and none once it has ended', async () => {
    const { api, taskId, world } = await approvalWorld();
    const open = (await api.get(`/runs/${taskId}`)).body;
    const turnOf = ({ steps }: Shown) => steps.find((step) => step['kind'] === 'turn');
    expect(turnOf(open)).toMatchObject({ content: { calls: [{ tool: 'erase' }] } });
    expect(open.pauses).toMatchObject([{ content: { kind: 'approval' } }]);
    expect(open.owner).toBe('');
    await api.post(`/runs/${taskId}/cancel`);
    await finish(world);
    const over = (await api.get(`/runs/${taskId}`)).body;
    expect(turnOf(over)).toMatchObject({ kind: 'turn' });
    expect(turnOf(over)).not.toHaveProperty('content');
    expect(JSON.stringify(over)).not.toContain('a-secret-word');
  });

  it('shows so much content and no more, also of what lies in objects of its own', async () => {
    const { api, world } = await approvalWorld();
    const { taskId } = await world.send('x'.repeat(5_000_000));
    await finish(world);
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body.steps[0]).toMatchObject({ kind: 'answer' });
    expect(body.steps[0]).not.toHaveProperty('content');
    expect(body.steps.at(-1)).toHaveProperty('content');
  });

  it('with a step that can not be opened shows all the others', async () => {
    const { api, taskId, world } = await approvalWorld();
    const path = `runs/${taskId}/steps/000000000001`;
    const { fields } = world.backend.peek(path) ?? { fields: {} };
    const content = new Uint8Array(40);
    await world.backend.commit([], [{ path, fields: { ...fields, content }, expect: 'any' }]);
    const { body, status } = await api.get(`/runs/${taskId}`);
    expect(status).toBe(200);
    expect(body.steps[0]).not.toHaveProperty('content');
    expect(body.pauses[0]).toHaveProperty('content');
  });
});

describe('cancelling', () => {
  it('ends a run that waits for a person', async () => {
    const { api, taskId, world } = await approvalWorld();
    const answer = await api.post(`/runs/${taskId}/cancel`, {}, 'cancel');
    expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled', open: false } });
    expect(await world.state(taskId)).toBe('CANCELED');
    expect((await api.post(`/runs/${taskId}/cancel`)).status).toBe(200);
  });

  it('ends a run that waits for a remote agent, and has its task cancelled there', async () => {
    const { api, peer, send, taskId, world } = await unknownWorld('after');
    const [found = ''] = openAt(peer);
    await api.post(`/sends/${send}/link`, { taskId: found });
    await api.post(`/runs/${taskId}/cancel`);
    await world.work();
    expect(peer.cancels.get(found)).toBe(1);
  });

  it('is refused for a run that has ended', async () => {
    const { api, taskId, world } = await approvalWorld();
    await overwrite(world, taskId, { status: 'completed' });
    const answer = await api.post(`/runs/${taskId}/cancel`);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'RUN_ENDED' } } });
  });
});

describe('the status', () => {
  it('counts what there is, whatever the agent', async () => {
    const { api, taskId, world } = await approvalWorld();
    const now = world.clock.now();
    const more = [
      { status: 'queued', notBefore: now, dueAt: now },
      { status: 'running', claimToken: 't', claimUntil: now - 1, dueAt: now - 1 },
      { status: 'running', claimToken: 't', claimUntil: now + 60_000, dueAt: now + 60_000 },
      { status: 'failed', reason: 'EFFECT_UNKNOWN', dueAt: null },
      { status: 'failed', reason: 'ATTEMPTS_EXHAUSTED', dueAt: null },
      { status: 'failed', reason: 'AGENT_FAILED', dueAt: null },
      { status: 'waiting_for_input', pausedAt: now - 5_000, statusAt: now - 5_000, dueAt: null },
    ];
    const { fields } = world.backend.peek(`runs/${taskId}`) ?? { fields: {} };
    const ids = more.map((_, at) => `0000000${at}-0000-4000-8000-000000000000`);
    const writes = more.map((over, at) => ({
      path: `runs/${ids[at]}`,
      fields: { ...fields, taskId: ids[at] ?? '', shard: at % 8, ...over },
      expect: 'any' as const,
    }));
    await world.backend.commit([], writes);
    const { body } = await api.get('/status');
    expect(body).toEqual({
      at: new Date(now).toISOString(),
      queued: 1,
      running: 2,
      waiting: { approval: 1, input: 1, dependency: 0, unknownSend: 0 },
      blocked: 0,
      changed: [],
      expiredLeases: 1,
      looked: 800,
      deadLettered: { attemptsExhausted: 1, effectUnknown: 1 },
      oldestWait: {
        since: new Date(now - 5_000).toISOString(),
        status: 'waiting_for_input',
        id: ids[6],
      },
      parkedWebhooks: { count: 0 },
      pausedAgents: [],
      circuits: [],
    });
  });

  it('names no run that the operator may not see', async () => {
    const { api, taskId, team, world } = await approvalWorld();
    await overwrite(world, taskId, { agent: 'another' });
    team.members.set('modelled', { may: ['view'], agent: 'modelled' });
    const { body } = await api.get('/status', 'modelled');
    expect(body.oldestWait).toMatchObject({ status: 'waiting_for_approval' });
    expect(body.oldestWait).not.toHaveProperty('id');
  });
});
