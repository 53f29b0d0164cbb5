import { expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { createSteadyTime } from '../../shared/app/privacy/steady-time.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { App } from '../../shared/app/app.ts';
import { World } from './world.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const agent = defineAgent({ name: 'quick', description: 'Quick.', run: () => 'done' });

/** A machine whose clock can be set, with one task that has ended and its receipt. */
async function machine() {
  const world = new World(agent, { idempotency: 'always' });
  let off = 0;
  const clock = { ...world.app.clock, now: () => world.clock.now() + off };
  const app: App = { ...world.app, clock };
  const steady: App = { ...app, steadyTime: createSteadyTime(app) };
  /** As the sweeper does, and then the queue. */
  const swept = async (): Promise<void> => {
    await sweep(steady);
    for (const wakeUp of world.queue.splice(0)) await handleWakeUp(steady, wakeUp);
  };
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
  return { world, taskId, swept, days, receipts, set: (by: number) => void (off = by) };
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
