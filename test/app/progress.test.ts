import { describe, expect, it } from 'vitest';
import { defineAgent, RetryLater } from '../../shared/agent/index.ts';
import { latch, World } from './world.ts';

const texts = (parts: readonly unknown[] | undefined) =>
  parts?.map((part) => (part as { text: string }).text).join('');

async function revisions(world: World, taskId: string): Promise<number> {
  return (
    await world.backend.query({
      collection: `runs/${taskId}/revisions`,
      filters: [],
      order: undefined,
      limit: 1_000,
    })
  ).length;
}

describe('progress', () => {
  it('five hundred steps of a quick agent are all kept, in order, in a handful of commits', async () => {
    const chatty = defineAgent({
      name: 'chatty',
      description: 'Many steps.',
      async run(ctx) {
        for (let step = 1; step <= 250; step += 1) {
          await ctx.status(`s${step}`);
          await ctx.artifact({ artifactId: 'a', parts: `${step};`, append: true });
        }
      },
    });
    const world = new World(chatty);
    const { taskId } = await world.send('go');
    await world.work();
    const task = await world.get(taskId);
    expect(texts(task.artifacts[0]?.parts)).toBe(
      Array.from({ length: 250 }, (_, at) => `${at + 1};`).join(''),
    );
    expect(task.history).toHaveLength(251);
    expect(await revisions(world, taskId)).toBeLessThanOrEqual(4);
  });

  it('a slow agent is seen at work, at most four times a second', async () => {
    const gates = Array.from({ length: 10 }, latch);
    const slow = defineAgent({
      name: 'slow',
      description: 'Slow.',
      async run(ctx) {
        for (const gate of gates) {
          await gate.opened;
          await ctx.artifact({ artifactId: 'a', parts: 'x', append: true });
        }
      },
    });
    const world = new World(slow);
    const { taskId } = await world.send('go');
    await world.work();
    for (const gate of gates.slice(0, 9)) {
      gate.open();
      await world.clock.advance(100);
    }
    await world.clock.advance(300);
    expect(texts((await world.get(taskId)).artifacts[0]?.parts)).toBe('x'.repeat(9));
    expect(await revisions(world, taskId)).toBeLessThanOrEqual(2 + 5);
    gates[9]?.open();
    await world.rest();
    expect(texts((await world.get(taskId)).artifacts[0]?.parts)).toBe('x'.repeat(10));
  });

  it('a first chunk with append makes the artifact, for readers and for streams', async () => {
    const appending = defineAgent({
      name: 'appending',
      description: 'Appends.',
      run: (ctx) =>
        ctx.artifact({ artifactId: 'new', parts: 'first', append: true }).then(() => 'done'),
    });
    const world = new World(appending);
    const { taskId } = await world.send('go');
    await world.work();
    expect(texts((await world.get(taskId)).artifacts[0]?.parts)).toBe('first');
    const stream = await world.service.stream(
      world.principal,
      taskId,
      { until: 'settled', afterSeq: 1 },
      new AbortController().signal,
    );
    if ('kind' in stream) throw new Error(stream.kind);
    const appends: boolean[] = [];
    for await (const frame of stream)
      if (frame.kind === 'event' && frame.event.kind === 'artifact')
        appends.push(frame.event.append);
    expect(appends).toEqual([false]);
  });

  it('an attempt that is repeated states its artifacts anew instead of adding to what the failed one showed', async () => {
    const gate = latch();
    const flaky = defineAgent({
      name: 'flaky',
      description: 'Fails once.',
      async run(ctx) {
        await ctx.artifact({ artifactId: 'a', parts: `attempt ${ctx.attempt};`, append: true });
        await gate.opened;
        if (ctx.attempt === 1) throw new RetryLater('once more', { delay: 10 });
        return 'done';
      },
    });
    const world = new World(flaky);
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(1_000);
    expect(texts((await world.get(taskId)).artifacts[0]?.parts)).toBe('attempt 1;');
    gate.open();
    await world.rest();
    await world.clock.advance(20);
    await world.work();
    const task = await world.get(taskId);
    expect(task.status.state).toBe('COMPLETED');
    expect(texts(task.artifacts[0]?.parts)).toBe('attempt 2;');
  });

  it('a continued task may append to what it made before the question', async () => {
    const two = defineAgent({
      name: 'two',
      description: 'Two segments.',
      async run(ctx) {
        await ctx.artifact({ artifactId: 'a', parts: `${ctx.text};`, append: true });
        if (ctx.history.length === 0) ctx.ask('And then?');
        return 'done';
      },
    });
    const world = new World(two);
    const { taskId } = await world.send('one');
    await world.work();
    await world.send('two', { taskId });
    await world.work();
    expect(texts((await world.get(taskId)).artifacts[0]?.parts)).toBe('one;two;');
  });

  it('an agent that floods is held back until its content is committed', async () => {
    const flood = defineAgent({
      name: 'flood',
      description: 'Floods.',
      async run(ctx) {
        for (let at = 0; at < 40; at += 1)
          await ctx.artifact({ artifactId: `a${at}`, parts: 'x'.repeat(100_000) });
      },
    });
    const world = new World(flood);
    const { taskId } = await world.send('go');
    await world.work();
    expect((await world.get(taskId)).artifacts).toHaveLength(40);
    expect(await revisions(world, taskId)).toBeGreaterThan(3);
  });

  it('the internals of an error that an agent throws reach no reader', async () => {
    const broken = defineAgent({
      name: 'broken',
      description: 'Breaks.',
      run: () => {
        throw new Error('password is hunter2');
      },
    });
    const world = new World(broken);
    const { taskId } = await world.send('go');
    await world.work();
    const task = await world.get(taskId);
    expect(task).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED' },
    });
    expect(JSON.stringify([task, world.logged])).not.toContain('hunter2');
  });
});
