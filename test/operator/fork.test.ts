import { describe, expect, it } from 'vitest';
import { finish, rowOf } from '../app/turn-loop-world.ts';
import { type Failed, failedWorld, newRequest, SECRET } from './trying.ts';

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
