import { describe, expect, it } from 'vitest';
import { approvalWorld, type Asking } from './worlds.ts';

/** A second run, whose id differs in its last character alone. */
async function twinOf({ taskId, world }: Asking): Promise<string> {
  const twin = `${taskId.slice(0, -1)}${taskId.endsWith('0') ? '1' : '0'}`;
  const { fields } = world.backend.peek(`runs/${taskId}`) ?? { fields: {} };
  const path = `runs/${twin}`;
  await world.backend.commit([], [{ path, fields: { ...fields, taskId: twin }, expect: 'any' }]);
  return twin;
}

describe('runs whose ids begin so', () => {
  it('are found by a query, in the order of their ids', async () => {
    const made = await approvalWorld();
    const twin = await twinOf(made);
    const find = async (id: string) =>
      (await made.api.get(`/find/${id}`)).body.runs.map((run) => run.id);
    const both = [made.taskId, twin].toSorted();
    expect(await find(made.taskId.slice(0, 8))).toEqual(both);
    expect(await find(made.taskId.slice(0, 35))).toEqual(both);
    expect(await find(twin)).toEqual([twin]);
    expect((await made.api.get('/find/ffff')).status).toBe(404);
  });

  it('are those of agents that the operator has any right on', async () => {
    const made = await approvalWorld();
    made.team.members.set('elsewhere', { may: ['view'], agent: 'other' });
    const id = made.taskId.slice(0, 8);
    expect((await made.api.get(`/find/${id}`, 'view')).body.runs).toHaveLength(1);
    expect((await made.api.get(`/find/${id}`, 'elsewhere')).status).toBe(404);
    expect((await made.api.get(`/find/${id}`, 'nobody')).status).toBe(404);
  });

  it.each(['abc', 'a%25bc', 'xyz0', 'a'.repeat(37)])('%j is no beginning of an id', async (id) => {
    const made = await approvalWorld();
    const { body, status } = await made.api.get(`/find/${id}`);
    expect({ status, field: body.error.field }).toEqual({ status: 400, field: 'id' });
  });
});
