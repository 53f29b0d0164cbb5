import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { TooLarge, Unavailable } from '../../shared/ports/faults.ts';
import type { Backend, Write } from '../../shared/ports/backend.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { latch, World } from './world.ts';
import { withCommit } from './wrapped.ts';

const answering = defineAgent({
  name: 'answering',
  description: 'Answers.',
  async run(ctx) {
    await ctx.artifact({ artifactId: 'a', parts: `about ${ctx.text}` });
    return 'done';
  },
});

/** Refuses commits of a completed run with a fault. */
const failingCompletion =
  (fault: () => Error, times = Number.POSITIVE_INFINITY) =>
  (backend: Backend): Backend => {
    let left = times;
    return withCommit(backend, (checks, writes) => {
      const completes = writes.some((write) => write.fields?.['status'] === 'completed');
      if (!completes || left <= 0) return backend.commit(checks, writes);
      left -= 1;
      return Promise.reject(fault());
    });
  };

describe('completion (G1)', () => {
  it('result, state and the end of the run are one commit', async () => {
    const commits: (readonly Write[])[] = [];
    const world = new World(answering, {
      wrap: (backend) =>
        withCommit(backend, (checks, writes) => {
          commits.push(writes);
          return backend.commit(checks, writes);
        }),
    });
    await world.send('cats');
    await world.work();
    const completing = commits.find((writes) =>
      writes.some((write) => write.fields?.['status'] === 'completed'),
    );
    const written = completing?.map(({ path }) =>
      path.replaceAll(/[0-9a-f]{40}|[0-9a-f-]{36}/g, '*'),
    );
    // The journal entry is the document of revision 3, too.
    expect(written?.sort()).toEqual([
      'contexts/*',
      'runs/*',
      'tasks/*',
      'tasks/*/events/000000000004',
    ]);
  });

  it('a result that can not be stored ends the task FAILED with a reason, and nothing of it is shown', async () => {
    const world = new World(answering, {
      wrap: failingCompletion(() => new TooLarge('commit', 9, 1)),
    });
    const { taskId } = await world.send('cats');
    await world.work();
    const task = await world.get(taskId);
    expect(task.status.state).toBe('FAILED');
    expect(task.metadata).toEqual({ reason: 'RESULT_NOT_STORED' });
    expect(task.artifacts).toEqual([]);
  });

  it('a passing fault repeats the same transaction, and the agent runs once', async () => {
    let runs = 0;
    const counting = defineAgent({
      name: 'counting',
      description: 'Counts.',
      run: () => `run ${(runs += 1)}`,
    });
    const world = new World(counting, {
      wrap: failingCompletion(() => new Unavailable('store'), 3),
    });
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(5_000);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(runs).toBe(1);
  });

  it('a store that was away for longer than the lease costs another attempt, not the task', async () => {
    const away = latch();
    let gone = false;
    let lost = false;
    let runs = 0;
    const counting = defineAgent({
      name: 'counting',
      description: 'Counts.',
      run: () => `run ${(runs += 1)}`,
    });
    const world = new World(counting, {
      wrap: (backend) =>
        withCommit(backend, async (checks, writes) => {
          if (gone) throw new Unavailable('store');
          if (lost || !writes.some(({ fields }) => fields?.['status'] === 'completed'))
            return backend.commit(checks, writes);
          lost = true;
          gone = true;
          await away.opened;
          throw new Unavailable('store');
        }),
    });
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(2 * world.app.settings.lease);
    gone = false;
    away.open();
    await world.rest();
    expect(await world.state(taskId)).not.toBe('FAILED');
    // A renewal may have been on its way when the store came back.
    await world.clock.advance(2 * world.app.settings.lease);
    await sweep(world.app);
    await world.work();
    expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'run 2' }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each(['lost', 'shutdown'] as const)(
    'a passing fault of the last try ends nothing, also when the claim was given up (%s) meanwhile',
    async (reason) => {
      const answer = latch();
      let lost = false;
      let runs = 0;
      const counting = defineAgent({
        name: 'counting',
        description: 'Counts.',
        run: () => `run ${(runs += 1)}`,
      });
      const redactor = {
        // The answer comes when the store takes every commit again.
        async redact(texts: readonly string[]) {
          if (lost || !texts.includes('run 1')) return texts;
          lost = true;
          await answer.opened;
          throw new Unavailable('the redactor');
        },
      };
      const world = new World(counting, {
        redactor,
        installation: { answer: 'redacted', audit: 'redacted' },
      });
      const { taskId } = await world.send('go');
      await world.work();
      world.app.segments.stopAll(reason);
      answer.open();
      await world.rest();
      expect(await world.state(taskId)).not.toBe('FAILED');
      await world.clock.advance(2 * world.app.settings.lease);
      await sweep(world.app);
      await world.work();
      expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'run 2' }]);
    },
  );

  it('COMPLETED with no artifacts is a state of its own', async () => {
    const world = new World(
      defineAgent({ name: 'quiet', description: 'Says nothing.', run: () => undefined }),
    );
    const { taskId } = await world.send('go');
    await world.work();
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED' },
      artifacts: [],
    });
  });
});

describe('losing the claim (G12)', () => {
  it('a worker whose lease was taken over changes nothing, and the newer one completes the task', async () => {
    const gates = [latch(), latch()];
    let starts = 0;
    const slow = defineAgent({
      name: 'slow',
      description: 'Waits.',
      async run() {
        const at = starts;
        starts += 1;
        await gates[at]?.opened;
        return `result of start ${at + 1}`;
      },
    });
    // The first worker's renewals never come: as if its process hung.
    const world = new World(slow, { settings: { leaseRenewal: 10_000_000 } });
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(70_000);
    await sweep(world.app);
    await world.work();
    expect(starts).toBe(2);
    gates[0]?.open();
    await world.rest();
    expect(await world.state(taskId)).toBe('WORKING');
    gates[1]?.open();
    await world.rest();
    expect((await world.get(taskId)).status.message?.parts).toEqual([
      { text: 'result of start 2' },
    ]);
  });

  it('a wake-up that comes twice runs the agent once', async () => {
    let runs = 0;
    const counting = defineAgent({
      name: 'counting',
      description: 'Counts.',
      run: () => `run ${(runs += 1)}`,
    });
    const world = new World(counting);
    await world.send('go');
    const [wakeUp] = world.queue;
    if (wakeUp === undefined) throw new Error('no wake-up');
    await Promise.all([handleWakeUp(world.app, wakeUp), handleWakeUp(world.app, wakeUp)]);
    await handleWakeUp(world.app, wakeUp);
    expect(runs).toBe(1);
  });

  it('cancelling stops the agent at its next step, and nothing that it does afterwards is seen', async () => {
    const gate = latch();
    const steps: string[] = [];
    const agent = defineAgent({
      name: 'stepping',
      description: 'Steps.',
      async run(ctx) {
        await gate.opened;
        steps.push(String(ctx.signal.reason));
        await ctx.artifact({ artifactId: 'late', parts: 'too late' });
        steps.push('not reached');
      },
    });
    const world = new World(agent);
    const { taskId, contextId } = await world.send('go');
    await world.work();
    await world.service.cancel(world.principal, taskId);
    gate.open();
    await world.rest();
    expect(steps).toEqual(['cancelled']);
    expect(await world.get(taskId)).toMatchObject({ status: { state: 'CANCELED' }, artifacts: [] });
    expect(await world.code(world.service.cancel(world.principal, taskId))).toBeUndefined();
    // The context is free again.
    await world.send('next', { contextId });
  });
});

describe('a worker that is told to go', () => {
  it('hands its run back at once, and the next one runs the agent again, told that it is a repeat', async () => {
    const gate = latch();
    const attempts: number[] = [];
    const agent = defineAgent({
      name: 'restarted',
      description: 'Is restarted.',
      async run(ctx) {
        attempts.push(ctx.attempt);
        if (attempts.length === 1) await gate.opened;
        return `run ${attempts.length}`;
      },
    });
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await world.work();
    world.app.segments.stopAll('shutdown');
    await world.rest();
    await world.work();
    gate.open();
    await world.rest();
    // An author who looks for the effects of an earlier try must learn that there was one.
    expect(attempts).toEqual([1, 2]);
    expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'run 2' }]);
  });
});

describe('deadlines and lost work (G24)', () => {
  it('an agent that never ends is FAILED when its time is up', async () => {
    const never = defineAgent({
      name: 'never',
      description: 'Never ends.',
      run: () => latch().opened.then(() => undefined),
    });
    const world = new World(never);
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(world.app.settings.segment + 1_000);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'DEADLINE_EXCEEDED' },
    });
  });

  it('a wake-up that was lost is repeated by the sweeper', async () => {
    const world = new World(answering);
    const { taskId } = await world.send('go', { blocking: true });
    world.queue.length = 0;
    await world.clock.advance(world.app.settings.sweepGrace + 1);
    await sweep(world.app);
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('an agent whose worker dies every time ends FAILED, not in a circle', async () => {
    const fatal = defineAgent({
      name: 'fatal',
      description: 'Kills its worker.',
      run: () => latch().opened.then(() => undefined),
    });
    const world = new World(fatal, {
      settings: { leaseRenewal: 10_000_000, segment: 100_000_000 },
    });
    const { taskId } = await world.send('go');
    for (let round = 0; round < 30; round += 1) {
      await world.work();
      await world.clock.advance(120_000);
      await sweep(world.app);
    }
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'ATTEMPTS_EXHAUSTED' },
    });
    expect(world.logged.filter(({ event }) => event === 'segment began')).toHaveLength(4);
  });
});
