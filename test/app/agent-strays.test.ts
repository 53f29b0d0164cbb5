import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { Strays } from '../../shared/ports/strays.ts';
import { latch, World } from './world.ts';

/** Errors are left behind by the test's own word. */
function strayWorld(run: NonNullable<Parameters<typeof defineAgent>[0]['run']>) {
  const owners: ((error: unknown) => void)[] = [];
  const strays: Strays = {
    within(owner, work) {
      owners.push(owner);
      return work();
    },
  };
  const world = new World(defineAgent({ name: 'loose', description: 'Loose.', run }), { strays });
  const reported = () =>
    world.logged
      .filter(({ event }) => event === 'agent error')
      .map(({ fields }) => fields as Readonly<Record<string, unknown>>);
  return { world, reported, leave: (error: unknown, of = 0) => owners[of]?.(error) };
}

/** Two runs of an agent that works until it is let go. */
async function atWork() {
  const done = latch();
  const told: unknown[] = [];
  const made = strayWorld(async (ctx) => {
    ctx.signal.addEventListener('abort', () => told.push(ctx.signal.reason), { once: true });
    await done.opened;
    await ctx.status('still here');
    return 'done';
  });
  const first = await made.world.send('one', { contextId: 'a' });
  await made.world.work();
  const second = await made.world.send('two', { contextId: 'b' });
  await made.world.work();
  return { ...made, done, told, first: first.taskId, second: second.taskId };
}

describe('an error that nothing caught', () => {
  it('ends the run that it comes from, and no other', async () => {
    const { done, first, leave, reported, second, told, world } = await atWork();
    leave(new Error('floating'));
    await world.work();
    await world.rest();
    expect(await world.get(first)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED' },
    });
    expect(reported()).toMatchObject([{ task: first, where: 'stray', fault: 'Error' }]);
    // Its agent is told to stop; what it goes on to say is not heard.
    expect(told).toHaveLength(1);
    done.open();
    await world.rest();
    await world.work();
    expect(await world.state(second)).toBe('COMPLETED');
    expect(reported()).toHaveLength(1);
  });

  it('and may pass is another try', async () => {
    const { first, leave, world } = await atWork();
    leave(new Unavailable('the store'));
    await world.rest();
    expect(await world.state(first)).toBe('WORKING');
    expect(world.logged.map(({ event }) => event)).toContain('segment is tried again');
  });

  it('after the end of its run is only told', async () => {
    const { leave, reported, world } = strayWorld(() => 'done');
    const { taskId } = await world.send('go');
    await world.work();
    leave(new Error('late'));
    await world.rest();
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(reported()).toMatchObject([{ task: taskId, where: 'stray' }]);
  });

  it('because its run was called off is nothing to be told', async () => {
    const { first, leave, reported, world } = await atWork();
    await world.service.cancel(world.principal, first);
    await world.rest();
    leave(new DOMException('aborted', 'AbortError'));
    await world.rest();
    expect(await world.state(first)).toBe('CANCELED');
    expect(reported()).toEqual([]);
  });
});
