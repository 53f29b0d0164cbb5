import { expect, onTestFinished, test } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { World } from '../app/world.ts';
import { openTasksQueue } from './tasks-queue.ts';

const answering = defineAgent({ name: 'answering', description: 'Answers.', run: () => 'done' });
const second = 1_000;
const isRun = (name: string) => name.includes('/queues/runs-');
const sent = async (world: World) => ({ id: (await world.send('hello')).taskId });

async function open() {
  const world = new World(answering);
  const opened = await openTasksQueue({
    clock: world.clock,
    log: world.app.log,
    concurrency: 8,
  });
  onTestFinished(() => opened.close());
  const behind = { instance: false };
  const late: Clock = {
    now: () => world.clock.now() - 5,
    sleep: (span, signal) => world.clock.sleep(span, signal),
    after: (span, callback) => world.clock.after(span, callback),
  };
  opened.start((wakeUp) =>
    handleWakeUp(behind.instance ? { ...world.app, clock: late } : world.app, wakeUp),
  );
  /** What the use cases hand over goes the whole way. */
  const handOver = async (): Promise<void> => {
    for (const wakeUp of world.queue.splice(0)) await opened.queue.enqueue(wakeUp);
    await opened.idle();
  };
  const sweepAfter = async (span: number): Promise<void> => {
    await world.clock.advance(span);
    await sweep(world.app);
    await handOver();
  };
  return { world, handOver, sweepAfter, behind, engine: opened.emulator.engine };
}

test('a delivery that is lost after the queue called it done is repeated, and the run completes', async () => {
  const { world, handOver, sweepAfter, engine } = await open();
  let deliveries = 0;
  engine.deliveryFault = ({ name }) => {
    if (!isRun(name)) return undefined;
    deliveries += 1;
    return deliveries === 1 ? 'swallowed' : undefined;
  };
  const { id } = await sent(world);
  await handOver();
  expect(deliveries).toBe(1);
  // The queue remembers the name for an hour: the same wake-up would be taken for the one that it
  // delivered.
  await sweepAfter(10 * second);
  expect([deliveries, await world.state(id)]).toEqual([1, 'SUBMITTED']);
  await sweepAfter(55 * second);
  expect([deliveries, await world.state(id)]).toEqual([2, 'COMPLETED']);
});

test('a wake-up that an instance finds early is delivered again, though the queue knows its name', async () => {
  const { world, handOver, behind } = await open();
  const { id } = await sent(world);
  behind.instance = true;
  await handOver();
  expect(await world.state(id)).toBe('SUBMITTED');
  behind.instance = false;
  await handOver();
  expect(await world.state(id)).toBe('COMPLETED');
});

test('a wake-up that was never handed over comes with the first sweep', async () => {
  const { world, sweepAfter } = await open();
  const { id } = await sent(world);
  world.queue.length = 0;
  await sweepAfter(10 * second);
  expect(await world.state(id)).toBe('COMPLETED');
});

test('a queue that is behind by an hour gets a handful of repeats, however often it is swept', async () => {
  const { world, handOver, sweepAfter, engine } = await open();
  for (const name of engine.queues.keys()) engine.setPaused(name, true);
  await sent(world);
  await handOver();
  for (let sweeps = 0; sweeps < 60; sweeps += 1) await sweepAfter(60 * second);
  const waiting = [...engine.queues.values()].flatMap(({ tasks }) => [...tasks.keys()]);
  expect(waiting.filter(isRun)).toHaveLength(10);
});
