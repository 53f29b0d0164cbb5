import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { createSteadyTime } from '../../shared/app/records/steady-time.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { App } from '../../shared/app/app.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { begun, row, total, waitingWorld } from './waiting.ts';
import { latch, World } from './world.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const agent = defineAgent({ name: 'quick', description: 'Quick.', run: () => 'done' });

/** The same world, with a clock that can be set and a second witness of time. */
function settable(world: World) {
  let off = 0;
  const clock: Clock = {
    now: () => world.clock.now() + off,
    sleep: (span, signal) => world.clock.sleep(span, signal),
    after: (span, callback) => world.clock.after(span, callback),
  };
  const app: App = { ...world.app, clock };
  const steady: App = { ...app, steadyTime: createSteadyTime(app, () => world.clock.now()) };
  /** As the sweeper does, and then the queue. */
  const swept = async (): Promise<void> => {
    await sweep(steady);
    for (const wakeUp of world.queue.splice(0)) await handleWakeUp(steady, wakeUp);
  };
  return { steady, swept, set: (by: number) => void (off = by) };
}

/** A machine whose clock can be set, with one task that has ended and its receipt. */
async function machine() {
  const world = new World(agent, { idempotency: 'always' });
  const { set, swept } = settable(world);
  const days = async (count: number): Promise<void> => {
    for (let hour = 0; hour < count * 24; hour += 1) {
      await world.clock.advance(DAY / 24);
      await swept();
    }
  };
  const { taskId } = await world.send('hello');
  await world.work();
  await swept();
  await world.clock.advance(11 * MINUTE);
  await swept();
  const receipts = async () =>
    (
      await world.backend.query({
        collection: 'receipts',
        filters: [],
        order: undefined,
        limit: 9,
      })
    ).length;
  return { world, taskId, swept, days, receipts, set };
}

it('a clock that is 40 days ahead for a moment removes nothing', async () => {
  const { receipts, set, swept, taskId, world } = await machine();
  set(40 * DAY);
  await swept();
  await world.clock.advance(5_000);
  await swept();
  set(0);
  await swept();
  await world.clock.advance(11 * MINUTE);
  await swept();
  expect(await world.state(taskId)).toBe('COMPLETED');
  expect(await receipts()).toBe(1);
});

it('time that goes on as it does removes what is due', async () => {
  const { days, receipts, taskId, world } = await machine();
  await days(29);
  expect(await world.state(taskId)).toBe('COMPLETED');
  expect(await receipts()).toBe(0);
  await days(2);
  expect(await world.code(world.service.get(world.principal, taskId))).toBe('TASK_NOT_FOUND');
});

it('a machine that was off for 40 days removes what is due ten minutes after it is on again', async () => {
  const { swept, taskId, world } = await machine();
  await world.clock.advance(40 * DAY);
  await swept();
  await world.clock.advance(9 * MINUTE);
  await swept();
  expect(await world.state(taskId)).toBe('COMPLETED');
  await world.clock.advance(2 * MINUTE);
  await swept();
  await swept();
  expect(await world.code(world.service.get(world.principal, taskId))).toBe('TASK_NOT_FOUND');
});

it('a new installation ends by its deadlines from the first moment on; one with runs of which no time was noted waits ten minutes', async () => {
  for (const sends of ['after', 'before'] as const) {
    const world = new World(agent);
    const { steady, swept } = settable(world);
    if (sends === 'after') await steady.steadyTime?.();
    const { taskId } = await world.send('hello');
    world.queue.length = 0;
    const { deadlineAt } = await row(world, taskId);
    while (world.clock.now() <= deadlineAt) {
      await world.clock.advance(DAY / 2);
      if (sends === 'after') await steady.steadyTime?.();
    }
    await swept();
    expect((await row(world, taskId)).status).toBe(sends === 'after' ? 'failed' : 'queued');
    await world.clock.advance(11 * MINUTE);
    await swept();
    expect((await row(world, taskId)).status).toBe('failed');
  }
});

describe('a clock that is 40 days ahead', () => {
  async function steadies({ swept }: ReturnType<typeof settable>, world: World) {
    await swept();
    await world.clock.advance(11 * MINUTE);
    await swept();
  }

  /** The clock leaps, and the sweeper looks twice. */
  async function leaps({ set, swept }: ReturnType<typeof settable>, world: World) {
    set(40 * DAY);
    await swept();
    await world.clock.advance(5_000);
    await swept();
  }

  it('for a moment ends no run that is queued, and for longer it does', async () => {
    const world = new World(agent);
    const made = settable(world);
    await steadies(made, world);
    const { taskId } = await world.send('hello');
    const [queued] = world.queue;
    world.queue.length = 0;
    await leaps(made, world);
    if (queued !== undefined) await handleWakeUp(made.steady, queued);
    expect((await row(world, taskId)).status).toBe('queued');
    await world.clock.advance(11 * MINUTE);
    await made.swept();
    expect((await row(world, taskId)).status).toBe('failed');
    expect(await world.get(taskId)).toMatchObject({ metadata: { reason: 'DEADLINE_EXCEEDED' } });
  });

  it('takes no run from a worker of this process that is at it', async () => {
    const [began, done] = [latch(), latch()];
    const attempts: number[] = [];
    const slow = defineAgent({
      name: 'slow',
      description: 'Slow.',
      async run(ctx) {
        attempts.push(ctx.attempt);
        began.open();
        await done.opened;
        return 'done';
      },
    });
    const world = new World(slow);
    const made = settable(world);
    await steadies(made, world);
    const { taskId } = await world.send('hello');
    const [wakeUp] = world.queue.splice(0);
    const working = wakeUp && handleWakeUp(made.steady, wakeUp);
    await began.opened;
    for (const ahead of [10 * MINUTE, 40 * DAY]) {
      made.set(ahead);
      await made.swept();
    }
    made.set(0);
    done.open();
    await working;
    await world.rest();
    expect([await world.state(taskId), attempts]).toEqual(['COMPLETED', [1]]);
  });

  it('ends no wait for a remote agent, which is still polled', async () => {
    const { peer, world } = waitingWorld();
    const made = settable(world);
    await steadies(made, world);
    const taskId = await begun(world);
    await leaps(made, world);
    expect((await row(world, taskId)).status).toBe('waiting_for_dependency');
    expect(total(peer.looks)).toBeGreaterThan(0);
  });
});

describe('a clock that is two hours ahead', () => {
  it('for a moment ends no wait for a remote agent, and for longer it does', async () => {
    const { world } = waitingWorld();
    const made = settable(world);
    await made.swept();
    await world.clock.advance(11 * MINUTE);
    await made.swept();
    const taskId = await begun(world);
    const waits = async () => (await row(world, taskId)).status === 'waiting_for_dependency';
    made.set(120 * MINUTE);
    await made.swept();
    await world.clock.advance(9 * MINUTE);
    await made.swept();
    expect(await waits()).toBe(true);
    made.set(0);
    await made.swept();
    await world.clock.advance(11 * MINUTE);
    await made.swept();
    expect(await waits()).toBe(true);
    made.set(120 * MINUTE);
    for (let minute = 0; minute < 12; minute += 1) {
      await made.swept();
      await world.clock.advance(MINUTE);
    }
    await made.swept();
    expect(await waits()).toBe(false);
  });
});
