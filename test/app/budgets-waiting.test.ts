import { describe, expect, it } from 'vitest';
import type { Limits } from '../../shared/domain/budget.ts';
import { begun, minute, openAt, passes, row, suspended, total, waitingWorld } from './waiting.ts';

/**
 * Answers whatever the peer has, each time it is at work, until the run has ended or so many rounds
 * have passed.
 */
async function workedOff(made: ReturnType<typeof waitingWorld>, taskId: string, rounds: number) {
  for (let round = 0; round < rounds; round += 1) {
    if ((await row(made.world, taskId)).status !== 'waiting_for_dependency') return;
    for (const id of openAt(made.peer)) made.peer.settle(id, 'COMPLETED', 'an answer');
    await passes(made.world, 20_000);
  }
}

const limited = (limits: Limits, times = 3) => waitingWorld({ agent: { times, limits } });

describe('a budget that is passed ends the run with a reason that names it (G16)', () => {
  it('delegations: what would be one too many does not leave', async () => {
    const made = limited({ delegations: 2 });
    const taskId = await begun(made.world);
    await workedOff(made, taskId, 5);
    expect((await made.world.get(taskId)).metadata).toEqual({ reason: 'DELEGATIONS_EXCEEDED' });
    expect(total(made.peer.sends)).toBe(2);
  });

  it('bytes: of a message that is too much', async () => {
    const made = limited({ bytes: 5 });
    const taskId = await begun(made.world);
    expect((await made.world.get(taskId)).metadata).toEqual({ reason: 'BYTES_EXCEEDED' });
    expect(total(made.peer.sends)).toBe(0);
  });

  it('bytes: of an answer that was too much; the agent does not go on with it', async () => {
    const made = limited({ bytes: 60 });
    const taskId = await begun(made.world);
    await workedOff(made, taskId, 5);
    expect((await made.world.get(taskId)).metadata).toEqual({ reason: 'BYTES_EXCEEDED' });
    expect(made.agent.seen).toEqual([]);
    expect(total(made.peer.sends)).toBe(1);
  });

  it('bytes: of an answer that came at once', async () => {
    const made = waitingWorld({
      agent: { limits: { bytes: 12 } },
      peer: { begins: 'COMPLETED' },
    });
    const taskId = await begun(made.world);
    expect((await made.world.get(taskId)).metadata).toEqual({ reason: 'BYTES_EXCEEDED' });
    expect(made.agent.seen).toEqual([]);
  });

  it('time: the wait for a remote agent counts', async () => {
    const made = waitingWorld({ agent: { times: 5 }, settings: { runDeadline: 5 * minute } });
    const { world } = made;
    const taskId = await begun(world);
    const { deadlineAt } = await row(world, taskId);
    await passes(world, 2 * minute);
    for (const id of openAt(made.peer)) made.peer.settle(id, 'COMPLETED', 'an answer');
    await passes(world, minute);
    expect((await suspended(world, taskId)).deadlineAt).toBe(deadlineAt);
    await passes(world, 3 * minute);
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'DEADLINE_EXCEEDED' });
  });
});

describe('what a run has used', () => {
  it('is the same with twenty suspensions as without any', async () => {
    const limits = { delegations: 20, rounds: 20, tokens: 200 };
    const waits = limited(limits, 20);
    const waited = await begun(waits.world);
    await workedOff(waits, waited, 60);
    const direct = waitingWorld({ agent: { times: 20, limits }, peer: { begins: 'COMPLETED' } });
    const accept = direct.peer.accept.bind(direct.peer);
    direct.peer.accept = (...given) => {
      const task = accept(...given);
      direct.peer.settle(task.taskId, 'COMPLETED', 'an answer');
      return task;
    };
    const answered = await begun(direct.world);
    const [after, before] = [await row(waits.world, waited), await row(direct.world, answered)];
    expect([after.status, before.status]).toEqual(['completed', 'completed']);
    expect([after.pauseGeneration, before.pauseGeneration]).toEqual([20, 0]);
    expect(after.spent).toEqual(before.spent);
    expect(after.spent).toMatchObject({ delegations: 20, rounds: 20, tokens: 200, cost: 0 });
    expect(after.deadlineAt - after.createdAt).toBe(before.deadlineAt - before.createdAt);
  });

  it('does not grow by a second try of a send that never left', async () => {
    const made = limited({ delegations: 1 }, 1);
    made.peer.reachable = false;
    const taskId = await begun(made.world);
    await passes(made.world, 1_500, 500);
    made.peer.reachable = true;
    await passes(made.world, 3_000, 500);
    await workedOff(made, taskId, 3);
    expect(await row(made.world, taskId)).toMatchObject({
      status: 'completed',
      spent: { delegations: 1 },
    });
  });
});
