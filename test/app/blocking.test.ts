import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { taskId as idOf, type TaskId } from '../../shared/domain/ids.ts';
import { latch, World } from './world.ts';

/** Asks once, and works on the answer until a latch opens. */
function asker() {
  const gate = latch();
  const agent = defineAgent({
    name: 'asker',
    description: 'Asks once.',
    async run(ctx) {
      if (ctx.text === 'ask') ctx.ask('What?');
      await gate.opened;
      return 'done';
    },
  });
  return { gate, world: new World(agent) };
}

function idIn(text: string): TaskId {
  const id = idOf(text);
  if (id === undefined) throw new Error('no id of a task');
  return id;
}

/** Waits as a blocking send does; `over` says whether that is so by now. */
function waiting(world: World, id: string, afterRevision: number, signal?: AbortSignal) {
  const seen = { over: false };
  const whole = world.service
    .settled(world.principal, idIn(id), { afterRevision }, signal ?? new AbortController().signal)
    .then(() => void (seen.over = true));
  return { seen, whole };
}

describe('a caller who waits for a task', () => {
  it('waits until it asks, and after the answer until it has ended, and not at the question again', async () => {
    const { gate, world } = asker();
    const { revision, taskId } = await world.send('ask');
    const first = waiting(world, taskId, revision);
    await world.work();
    await first.whole;
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    const answer = await world.send('go on', { taskId });
    const second = waiting(world, taskId, answer.revision);
    await world.work();
    expect([second.seen.over, await world.state(taskId)]).toEqual([false, 'WORKING']);
    gate.open();
    await world.rest();
    await second.whole;
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('who comes when all has happened does not wait', async () => {
    const { gate, world } = asker();
    gate.open();
    const { taskId } = await world.send('ask');
    await world.work();
    const { revision } = await world.send('go on', { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    const late = waiting(world, taskId, revision);
    await world.rest();
    expect(late.seen.over).toBe(true);
  });

  it('waits as long as the cap, no longer', async () => {
    const { world } = asker();
    const { revision, taskId } = await world.send('work');
    const held = waiting(world, taskId, revision);
    await world.work();
    await world.clock.advance(world.app.settings.blockingCap - 1);
    await world.rest();
    expect(held.seen.over).toBe(false);
    await world.clock.advance(1);
    await world.rest();
    expect(held.seen.over).toBe(true);
    expect(await world.state(taskId)).toBe('WORKING');
  });

  it('who has gone before or meanwhile waits for nothing', async () => {
    const { world } = asker();
    const { revision, taskId } = await world.send('work');
    await world.work();
    const before = waiting(world, taskId, revision, AbortSignal.abort());
    const gone = new AbortController();
    const meanwhile = waiting(world, taskId, revision, gone.signal);
    await world.rest();
    expect([before.seen.over, meanwhile.seen.over]).toEqual([true, false]);
    gone.abort();
    await world.rest();
    expect(meanwhile.seen.over).toBe(true);
  });

  it('for a task of another caller waits for nothing (G23)', async () => {
    const { world } = asker();
    const { revision, taskId } = await world.send('ask');
    await world.work();
    await world.send('go on', { taskId });
    await world.work();
    const other = { ...world.principal, owner: 'other', authenticated: true };
    const seen: { answer?: unknown } = {};
    const { signal } = new AbortController();
    for (const afterRevision of [1, revision + 1]) {
      delete seen.answer;
      void world.service
        .settled(other, taskId, { afterRevision }, signal)
        .then((answer) => void (seen.answer = answer));
      await world.rest();
      expect(seen.answer).toMatchObject({ code: 'TASK_NOT_FOUND' });
    }
  });
});
