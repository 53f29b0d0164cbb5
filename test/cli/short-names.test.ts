import { describe, expect, it } from 'vitest';
import { parkedWorld, approvalWorld, unknownWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

describe('a name that is as short as it is unique', () => {
  it('is taken by each command that takes a run', async () => {
    const made = await approvalWorld();
    const short = made.taskId.slice(0, 8);
    expect((await holdfast(made, ['run', short])).out).toContain(`run        ${made.taskId}\n`);
    expect((await holdfast(made, ['logs', made.taskId.slice(0, 4)])).exit).toBe(0);
    expect((await holdfast(made, ['cancel', short, '--yes'])).out).toContain('cancelled');
  });

  it('is taken of a send, and of a webhook', async () => {
    const lost = await unknownWorld();
    const [run = '', send = ''] = lost.send.split('.');
    const short = `${run.slice(0, 8)}.${send.slice(0, 8)}`;
    expect((await holdfast(lost, ['abandon', short, '--yes'])).out).toContain('state  abandoned');
    const parked = await parkedWorld();
    const name = `${parked.taskId.slice(0, 8)}.a.b`;
    const { out } = await holdfast(parked, ['redeliver', name, '--yes']);
    expect(out).toContain(`webhook  ${parked.name}\n`);
  });

  it('is refused where several begin so, with what they are', async () => {
    const made = await approvalWorld();
    const twin = `${made.taskId.slice(0, -1)}${made.taskId.endsWith('0') ? '1' : '0'}`;
    const { fields } = made.world.backend.peek(`runs/${made.taskId}`) ?? { fields: {} };
    await made.world.backend.commit(
      [],
      [{ path: `runs/${twin}`, fields: { ...fields, taskId: twin }, expect: 'any' }],
    );
    const ran = await holdfast(made, ['cancel', made.taskId.slice(0, 8), '--yes']);
    expect(ran.exit).toBe(2);
    expect(ran.error).toContain('is the beginning of several runs; give more of it\n');
    for (const id of [made.taskId, twin])
      expect(ran.error).toMatch(new RegExp(`^  ${id} +modelled +waiting_for_approval$`, 'm'));
    expect((await holdfast(made, ['run', made.taskId])).out).toContain('waiting_for_approval');
  });

  it('that no run begins with is as unknown as a whole one, and one letter is too short', async () => {
    const made = await approvalWorld();
    for (const id of ['ffffffff', 'f'.repeat(35)])
      expect(await holdfast(made, ['run', id])).toMatchObject({
        exit: 1,
        error: expect.stringContaining('RUN_NOT_FOUND') as string,
      });
    expect(await holdfast(made, ['run', 'abc'])).toMatchObject({
      exit: 2,
      error: 'holdfast: abc is too short for an id; give 4 characters of it or more\n',
    });
  });
});
