import { describe, expect, it } from 'vitest';
import { reportWaits } from '../../functions/report-waits.ts';
import { finish, modelAgent, rowOf } from '../app/turn-loop-world.ts';
import { World } from '../app/world.ts';
import { holdfast } from '../cli/terminal.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { apiOver, approvalWorld } from './worlds.ts';

/** A run that waits for the approval of a call, and a release without that tool. */
async function withoutItsTool() {
  const made = await approvalWorld();
  const agent = modelAgent(new ScriptedModel(), [], { tools: [] });
  const world = new World(agent, { below: made.world, grants: made.team });
  return { ...made, world, api: await apiOver(world) };
}

/** It was approved, and does not go on. */
async function blocked() {
  const made = await withoutItsTool();
  const { exit } = await holdfast(made, ['approve', made.taskId, '--yes']);
  expect(exit).toBe(0);
  await finish(made.world);
  const { digest = '' } = (await rowOf(made.world, made.taskId)).blocked ?? {};
  return { ...made, digest };
}

describe('a run whose tool is gone', () => {
  it('is named at start and in status, before a decision', async () => {
    const made = await withoutItsTool();
    await reportWaits(made.world.app);
    expect(made.world.logged).toContainEqual({
      event: 'run waits for what is gone or changed',
      fields: {
        task: made.taskId,
        agent: 'modelled',
        status: 'waiting_for_approval',
        what: 'tool',
        name: 'erase',
        changed: 'gone',
      },
    });
    const { out } = await holdfast(made, ['status']);
    expect(out).toContain('blocked               0\n');
    expect(out).toContain(
      `changed               ${made.taskId} of modelled, waiting_for_approval: tool erase is gone\n`,
    );
    expect((await holdfast(made, ['run', made.taskId])).out).toMatch(
      /changed +tool erase is gone\n/,
    );
    expect((await made.api.get(`/runs/${made.taskId}`)).body.changes).toEqual([
      { kind: 'tool', name: 'erase', changed: [] },
    ]);
  });

  it('is nothing to be said of where nothing is gone', async () => {
    const made = await approvalWorld();
    await reportWaits(made.world.app);
    expect(made.world.logged.map(({ event }) => event)).not.toContain(
      'run waits for what is gone or changed',
    );
    expect((await holdfast(made, ['status'])).out).not.toContain('changed ');
    expect((await made.api.get(`/runs/${made.taskId}`)).body).not.toHaveProperty('changes');
  });

  it('is blocked once it is approved: in the inbox, the list, status and the run itself', async () => {
    const made = await blocked();
    const { digest, taskId } = made;
    const inbox = (await holdfast(made, ['inbox'])).out;
    expect(inbox).toContain(
      `blocked run of modelled, for 0ms: holdfast continue|cancel ${taskId}\n  tool erase is gone; it looks again at 2027-01-15T08:00:30.000Z`,
    );
    expect((await holdfast(made, ['inbox'], { as: 'send' })).out).toBe('nothing waits for you\n');
    const list = await holdfast(made, ['runs', '--blocked']);
    expect(list.out).toMatch(/modelled +queued .*blocked for 0ms: tool erase is gone/);
    const other = await holdfast(made, ['runs', '--unknown-sends']);
    expect(other.out).not.toContain(taskId);
    expect((await holdfast(made, ['status'])).out).toContain('blocked               1\n');
    const { out } = await holdfast(made, ['run', taskId]);
    expect(out).toMatch(/waits for +blocked for 0ms: tool erase is gone\n/);
    expect(out).toContain(digest);
  });

  it('goes on when an operator has seen what is gone and said yes', async () => {
    const made = await blocked();
    const shown: string[] = [];
    const ask = (question: string) => {
      shown.push(question);
      return Promise.resolve('y');
    };
    const { exit, out } = await holdfast(made, ['continue', made.taskId], { ask });
    expect({ exit, out }).toMatchObject({
      exit: 0,
      out: expect.stringContaining('queued') as string,
    });
    expect(shown[0]).toMatch(/blocked +tool erase is gone\n[^]*Let it go on\? \[y\/N\] $/);
    await finish(made.world);
    expect(await made.world.state(made.taskId)).toBe('COMPLETED');
    const { acts } = (await made.api.get(`/runs/${made.taskId}`, 'view')).body;
    expect(acts).toMatchObject([{ kind: 'approve' }, { kind: 'continue', operator: 'all' }]);
  });

  it('does not without a yes, without the right, or by the digest of something else', async () => {
    const made = await blocked();
    const { digest, taskId } = made;
    const no = await holdfast(made, ['continue', taskId], { ask: () => Promise.resolve('n') });
    expect(no.exit).toBe(1);
    const pasted = await holdfast(made, ['continue', taskId]);
    expect(pasted.exit).toBe(2);
    expect(pasted.error).toContain(`holdfast continue ${taskId} --digest ${digest}`);
    const may = await holdfast(made, ['continue', taskId], { as: 'not-decide' });
    expect(may.error).toContain('PERMISSION_DENIED');
    const other = await holdfast(made, ['continue', taskId, '--digest', 'another']);
    expect(other).toMatchObject({
      exit: 1,
      error: expect.stringContaining('NOT_BLOCKED') as string,
    });
    expect((await rowOf(made.world, taskId)).blocked).not.toHaveProperty('accepted');
    expect((await holdfast(made, ['continue', taskId, '--digest', digest])).exit).toBe(0);
  });

  it('of a run that is not blocked there is nothing to continue', async () => {
    const made = await approvalWorld();
    const { error, exit } = await holdfast(made, ['continue', made.taskId, '--yes']);
    expect({ error, exit }).toEqual({
      error: 'holdfast: the run is not blocked: it is waiting_for_approval\n',
      exit: 1,
    });
    const { body, status } = await made.api.post(`/runs/${made.taskId}/continue`, { digest: 'x' });
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'NOT_BLOCKED' });
  });
});
