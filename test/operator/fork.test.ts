import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { finish, rowOf } from '../app/turn-loop-world.ts';
import { World } from '../app/world.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { call } from '../../testing/scripted-model.ts';
import { Peer } from '../../testing/peer.ts';
import { type Failed, failedWorld, newRequest, SECRET } from './trying.ts';
import { Team } from './api.ts';
import { apiOver } from './worlds.ts';

const fork = ({ api, taskId }: Failed, from: number, more: object = {}) =>
  api.post(`/runs/${taskId}/fork`, { requestId: newRequest(), from, ...more });

async function forked(made: Failed, from: number, more: object = {}): Promise<string> {
  made.broken.now = false;
  const answer = await fork(made, from, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await finish(made.world);
  return answer.body.run?.id ?? '';
}

describe('a fork', () => {
  it('does the work anew from its step on, and keeps what lies before', async () => {
    const made = await failedWorld();
    const refused = await fork(made, 4);
    expect(refused.body.error).toMatchObject({ code: 'MAY_REPEAT' });
    const id = await forked(made, 4, { again: ['call-4-1'] });
    expect(await made.world.state(id)).toBe('COMPLETED');
    expect(made.ran.map(({ tool }) => tool)).toEqual(['look', 'pay', 'pay']);
    expect(await rowOf(made.world, id)).toMatchObject({
      origin: { kind: 'fork', taskId: made.taskId, steps: 3 },
    });
  });

  it('says something else in the place of the message, and the task says that, too', async () => {
    const made = await failedWorld();
    const id = await forked(made, 1, { text: 'stop', again: ['*'] });
    const [message] = (await made.world.get(id)).history;
    expect(message).toMatchObject({
      role: 'user',
      parts: [{ text: 'stop' }],
      referenceTaskIds: [made.taskId],
    });
    expect(JSON.stringify(made.model.requests.at(-1))).toContain('stop');
    expect(JSON.stringify(made.model.requests.at(-1)?.transcript[0])).not.toContain(SECRET);
  });

  it('may be made of a run that completed', async () => {
    const made = await failedWorld();
    made.broken.now = false;
    const { body } = await made.api.post(`/runs/${made.taskId}/retry`, { requestId: newRequest() });
    await finish(made.world);
    const again = { ...made, taskId: body.run?.id ?? '' };
    expect(await made.world.state(again.taskId)).toBe('COMPLETED');
    const id = await forked(again, 6 - 1, { again: ['call-4-1'] });
    expect(await made.world.state(id)).toBe('COMPLETED');
    expect(made.ran.filter(({ tool }) => tool === 'pay')).toHaveLength(2);
  });

  it('can be seen beforehand', async () => {
    const made = await failedWorld();
    expect((await fork(made, 3, { dryRun: true })).body).toMatchObject({
      kept: 2,
      anew: [{ step: 3, name: 'look', effect: 'read' }, { step: 4 }, { step: 5, name: 'pay' }],
      risks: [{ name: 'pay', made: true }],
    });
  });

  it.each<[number, object, string, string]>([
    [99, {}, 'STEP_NOT_FOUND', 'from'],
    [2, { text: 'x' }, 'STEP_NOT_FOUND', 'edit'],
  ])('from step %i with %j is refused', async (from, more, code, field) => {
    const made = await failedWorld();
    expect(await fork(made, from, more)).toMatchObject({
      status: 400,
      body: { error: { code, field } },
    });
  });

  it('needs the steps in full', async () => {
    const made = await failedWorld({ audit: 'metadata' });
    expect(await fork(made, 2)).toMatchObject({
      status: 409,
      body: { error: { code: 'TRAIL_NOT_KEPT' } },
    });
  });
});

/** It asks for an approval of its own, gets it, and completes. */
async function approved({ api, world }: Failed, id: string): Promise<void> {
  const { digest, generation: pauseGeneration } = (await api.get(`/runs/${id}`)).body.waitsFor;
  await api.post(`/runs/${id}/decisions`, { kind: 'approve', digest, pauseGeneration });
  await finish(world);
  expect(await world.state(id)).toBe('COMPLETED');
}

describe('a fork of a run that waits', () => {
  const held = [{ calls: [call('erase', { at: 'disk' })] }] as const;

  it('takes its place: the earlier task is cancelled, and no approval of it counts', async () => {
    const made = await failedWorld({ script: held });
    const before = (await made.api.get(`/runs/${made.taskId}`)).body;
    expect(before.status).toBe('waiting_for_approval');
    const id = await forked(made, 2, { cancel: true });
    expect(await made.world.state(made.taskId)).toBe('CANCELED');
    expect((await rowOf(made.world, made.taskId)).acts).toMatchObject([{ kind: 'fork', task: id }]);
    const { digest, generation: pauseGeneration } = before.waitsFor;
    const late = { kind: 'approve', digest, pauseGeneration };
    const { status } = await made.api.post(`/runs/${made.taskId}/decisions`, late);
    expect(status).toBe(409);
    expect(made.ran).toEqual([]);
    await approved(made, id);
    expect(made.ran.map(({ callId }) => callId)).toEqual([`${id}.call-2-1`]);
  });

  it('keeps what lies before: a tool that ran does not run again', async () => {
    const made = await failedWorld({
      script: [{ calls: [call('look', { at: 'shelf' })] }, ...held],
    });
    const id = await forked(made, 4, { cancel: true });
    expect(made.ran.map(({ tool }) => tool)).toEqual(['look']);
    await approved(made, id);
    expect(made.ran.map(({ tool }) => tool)).toEqual(['look', 'erase']);
    const wrong = await fork(made, 5, { cancel: true });
    expect(wrong).toMatchObject({ status: 400, body: { error: { field: 'from' } } });
  });

  it('is shown beforehand; without `cancel`, or the right to, nothing is done', async () => {
    const made = await failedWorld({ script: held });
    const rows = JSON.stringify(made.world.backend.everything());
    const dry = await fork(made, 2, { dryRun: true });
    expect(dry).toMatchObject({
      status: 200,
      body: { waits: 'waiting_for_approval', risks: [], kept: 1 },
    });
    expect(await fork(made, 2)).toMatchObject({
      status: 409,
      body: { error: { code: 'RUN_NOT_ENDED' } },
    });
    const body = { requestId: newRequest(), from: 2, cancel: true };
    expect(await made.api.post(`/runs/${made.taskId}/fork`, body, 'not-cancel')).toMatchObject({
      status: 403,
      body: { error: { code: 'PERMISSION_DENIED' } },
    });
    expect(JSON.stringify(made.world.backend.everything())).toBe(rows);
  });

  it('that goes on at that moment is not made: the run keeps what it does', async () => {
    const made = await failedWorld({ script: held });
    const { digest, generation: pauseGeneration } = (await made.api.get(`/runs/${made.taskId}`))
      .body.waitsFor;
    made.broken.now = false;
    const decision = { kind: 'approve', digest, pauseGeneration };
    const [decided, answer] = await Promise.all([
      made.api.post(`/runs/${made.taskId}/decisions`, decision),
      fork(made, 2, { cancel: true }),
    ]);
    await finish(made.world);
    const won = decided.status === 200;
    expect([decided.status, answer.status]).toEqual(won ? [200, 409] : [409, 200]);
    expect(await made.world.state(made.taskId)).toBe(won ? 'COMPLETED' : 'CANCELED');
    expect(made.ran).toHaveLength(won ? 1 : 0);
  });

  it('names the call of a remote agent that may have its message, and cancels that there', async () => {
    const peer = new Peer();
    const script = [{ calls: [call('peer', { message: 'please' })] }];
    const made = await failedWorld({ script, remotes: new MemoryRemoteAgents(peer) });
    const dry = await fork(made, 2, { dryRun: true });
    expect(dry.body).toMatchObject({
      waits: 'waiting_for_dependency',
      risks: [{ effect: 'remote', made: false }],
    });
    await forked(made, 2, { cancel: true, again: ['call-2-1'] });
    await made.world.clock.advance(60_000);
    await finish(made.world);
    expect([...peer.tasks.values()].map(({ state }) => state)).toEqual(['CANCELED', 'WORKING']);
  });

  it('of a function in steps that sleeps goes on from the step that it names', async () => {
    const charged: string[] = [];
    const sleeper = defineAgent({
      name: 'sleeper',
      description: 'Charges, and sleeps.',
      async steps(ctx) {
        await ctx.step('charge', ({ key }) => charged.push(key), { effect: 'once' });
        await ctx.sleep('2 d');
        return 'done';
      },
    });
    const installation = { answer: 'full', audit: 'full' } as const;
    const world = new World(sleeper, { grants: new Team(), installation });
    const { taskId } = await world.send('go', { contextId: 'one' });
    await finish(world);
    const api = await apiOver(world);
    const { steps } = (await api.get(`/runs/${taskId}`)).body;
    const body = { requestId: newRequest(), from: steps.length, cancel: true };
    const answer = await api.post(`/runs/${taskId}/fork`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await finish(world);
    expect(await world.state(taskId)).toBe('CANCELED');
    expect(charged).toHaveLength(1);
    await world.clock.advance(3 * 86_400_000);
    await finish(world);
    expect(await world.state(answer.body.run?.id ?? '')).toBe('COMPLETED');
  });
});
