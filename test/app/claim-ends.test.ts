import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { cancelTask } from '../../shared/app/tasks/cancel-task.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { failRun } from '../../shared/app/change/end-run.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { destroy } from '../../shared/domain/transitions.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { Fault, TooLarge } from '../../shared/ports/faults.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, rowOf, toolbox } from './turn-loop-world.ts';
import { latch, World } from './world.ts';
import { wrappedBlobs } from './wrapped.ts';

const SECOND = 1_000;

/** An agent that says nothing, and does something outside every 100 ms until its signal aborts. */
function silent() {
  const effects: number[] = [];
  const reasons: unknown[] = [];
  const agent = defineAgent({
    name: 'modelled',
    description: 'Says nothing.',
    async run({ signal }) {
      for (let step = 1; step <= 600 && !signal.aborted; step += 1) {
        await clockOf().sleep(100, signal);
        if (!signal.aborted) effects.push(step);
      }
      reasons.push(signal.reason);
    },
  });
  const world = new World(agent);
  const clockOf = () => world.clock;
  return { agent, effects, reasons, world };
}

const WAYS: readonly [string, unknown, (other: World, taskId: string) => Promise<unknown>][] = [
  ['a client cancels it', 'cancelled', (other, id) => other.service.cancel(other.principal, id)],
  [
    'an operator cancels it',
    'cancelled',
    ({ app, principal }, id) => cancelTask(app, principal, id, 'olga'),
  ],
  [
    'its ceiling is tightened to none',
    'lost',
    ({ app }, id) => tightenCeiling(app, id, { answer: 'none' }),
  ],
  [
    'the sweeper ends it',
    'lost',
    async (other, id) =>
      failRun(other.app, await rowOf(other, id), 'DEADLINE_EXCEEDED', () => true),
  ],
  ['an operator destroys it', 'lost', ({ app }, id) => purgeRun(app, id, destroy)],
  [
    'another worker takes it over',
    'lost',
    async (other, id) => {
      // The lease, and what the sweeper leaves to others.
      await other.clock.advance(66_000);
      await sweep(other.app);
      const [wakeUp] = other.queue.filter(({ kind }) => kind === 'run');
      if (wakeUp !== undefined) void handleWakeUp(other.app, wakeUp);
      await other.rest();
      expect(await rowOf(other, id)).toMatchObject({ status: 'running', fence: 2 });
    },
  ],
];

describe('what ends a claim in another process reaches its worker within a second', () => {
  it.each(WAYS)('when %s', async (_way, reason, end) => {
    const { agent, effects, reasons, world } = silent();
    const { taskId } = await world.send('go', { blocking: true });
    await world.work();
    await world.clock.advance(5 * SECOND);
    expect(effects).toHaveLength(50);
    const elsewhere = { ...agent, run: () => new Promise<never>(() => undefined) };
    const other = new World(elsewhere, { below: world });
    await end(other, taskId);
    await world.clock.advance(SECOND);
    expect(reasons).toEqual([reason]);
    expect(effects.length).toBeLessThanOrEqual(50 + 1);
  });

  it('also in the middle of a tool', async () => {
    const reasons: unknown[] = [];
    const gate = latch();
    const model = new ScriptedModel({ calls: [call('look', { at: 'here' })] });
    const tools = toolbox([], () => gate.opened);
    const declared = modelAgent(model, [], { tools });
    const agent = {
      ...declared,
      run: (segment: Parameters<typeof declared.run>[0]) => {
        segment.signal.addEventListener('abort', () => reasons.push(segment.signal.reason));
        return declared.run(segment);
      },
    };
    const world = new World(agent);
    const { taskId } = await world.send('go', { blocking: true });
    await world.work();
    await world.clock.advance(SECOND);
    const other = new World(agent, { below: world });
    await other.service.cancel(other.principal, taskId);
    await world.clock.advance(SECOND);
    expect(reasons).toEqual(['cancelled']);
  });

  it('its own commits end nothing, however many there are', async () => {
    const reasons: unknown[] = [];
    const agent = defineAgent({
      name: 'modelled',
      description: 'Shows much.',
      async run(ctx) {
        for (let step = 1; step <= 30; step += 1) {
          await ctx.artifact({ artifactId: 'a', parts: `${step}`, append: true });
          await world.clock.sleep(400);
        }
        reasons.push(ctx.signal.aborted);
        return 'done';
      },
    });
    const world = new World(agent);
    const { taskId } = await world.send('go', { blocking: true });
    await world.work();
    for (let second = 0; second < 20; second += 1) await world.clock.advance(SECOND);
    await finish(world);
    expect(reasons).toEqual([false]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

describe('ctx.attempt', () => {
  it('counts a segment that was left in the middle by a graceful stop, which costs no attempt', async () => {
    const tries: number[] = [];
    const gate = latch();
    const agent = defineAgent({
      name: 'modelled',
      description: 'Counts.',
      async run(ctx) {
        tries.push(ctx.attempt);
        if (ctx.attempt < 6) await gate.opened;
        return 'done';
      },
    });
    const world = new World(agent);
    const { taskId } = await world.send('go');
    for (let stop = 1; stop <= 5; stop += 1) {
      await world.work();
      world.app.segments.stopAll('shutdown');
      await world.rest();
    }
    await world.work();
    expect(tries).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(await rowOf(world, taskId)).toMatchObject({ attempts: 0 });
  });

  it('begins anew with an answer', async () => {
    const tries: [string, number][] = [];
    let stops = 0;
    const agent = defineAgent({
      name: 'modelled',
      description: 'Asks.',
      async run(ctx) {
        tries.push([ctx.text, ctx.attempt]);
        if (ctx.attempt === 1 && stops++ < 1) await new Promise(() => undefined);
        return ctx.text === 'go' ? ctx.ask('Why?') : 'done';
      },
    });
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await world.work();
    world.app.segments.stopAll('shutdown');
    await finish(world);
    await world.send('so', { taskId });
    await world.work();
    expect(tries).toEqual([
      ['go', 1],
      ['go', 2],
      ['so', 1],
    ]);
  });

  it('a continued segment that was left in the middle builds on what there was before it, not on itself', async () => {
    let stops = 0;
    const agent = defineAgent({
      name: 'modelled',
      description: 'Adds.',
      async run(ctx) {
        if (ctx.text === 'go') return ctx.ask('More?');
        await ctx.artifact({ artifactId: 'a', parts: 'x', append: true });
        await world.clock.sleep(SECOND);
        if (stops++ < 1) await new Promise(() => undefined);
        return `${ctx.history.length}`;
      },
    });
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await world.work();
    await world.send('yes', { taskId });
    await world.work();
    await world.clock.advance(2 * SECOND);
    world.app.segments.stopAll('shutdown');
    await world.rest();
    await world.work();
    await world.clock.advance(2 * SECOND);
    await finish(world);
    const { artifacts } = await world.get(taskId);
    expect(artifacts).toMatchObject([{ parts: [{ text: 'x' }] }]);
  });
});

describe('a storage fault that can not pass, while progress is shown', () => {
  const big = 'x'.repeat(3 * 1024 * 1024);
  const broken = (fault: () => Error, at: number) => {
    let puts = 0;
    return {
      wrapBlobs: (blobs: Blobs): Blobs =>
        wrappedBlobs(blobs, {
          put: (...given) => {
            puts += 1;
            return puts >= at ? Promise.reject(fault()) : blobs.put(...given);
          },
        }),
    };
  };

  it.each([
    [
      'an object folder that is unusable',
      () => new Fault('BadName', 'stop', 'a file in its place'),
    ],
    ['a document over the limit', () => new TooLarge('a document', 5, 4)],
    ['an unforeseen fault', () => new Error('no idea')],
  ])('(%s) ends the task at once with RESULT_NOT_STORED; the agent runs once', async (_, fault) => {
    let runs = 0;
    const agent = defineAgent({
      name: 'modelled',
      description: 'Shows much.',
      async run(ctx) {
        runs += 1;
        await ctx.artifact({ artifactId: 'big', parts: big });
        await world.clock.sleep(60 * SECOND);
        return 'done';
      },
    });
    const world = new World(agent, broken(fault, 1));
    const { taskId } = await world.send('go', { blocking: true });
    await world.work();
    await world.clock.advance(SECOND);
    await finish(world);
    expect(await rowOf(world, taskId)).toMatchObject({
      status: 'failed',
      reason: 'RESULT_NOT_STORED',
    });
    await world.clock.advance(300 * SECOND);
    await finish(world);
    expect(runs).toBe(1);
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'RESULT_NOT_STORED' });
  });

  it('is the same for a step of a model', async () => {
    const model = new ScriptedModel({ calls: [call('look', { at: 'here' })] });
    const tools = toolbox([], () => ({ much: 'x'.repeat(900_000) }));
    const fault = () => new Fault('BadName', 'stop', 'a file in its place');
    const world = new World(modelAgent(model, [], { tools }), broken(fault, 1));
    const { taskId } = await world.send('go', { blocking: true });
    await finish(world);
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'RESULT_NOT_STORED' });
    expect(model.calls).toBe(1);
  });
});
