import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { purgeOverdue } from '../../shared/app/privacy/purge-overdue.ts';
import type { Frame } from '../../shared/app/service.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { World } from './world.ts';

const day = 24 * 60 * 60 * 1_000;
const agent = defineAgent({
  name: 'asks',
  description: 'Asks.',
  run: (ctx) => (ctx.text === 'go' ? ctx.ask('Well?') : ctx.ask('And?')),
});
const settings = { waitingRetention: 3 * day, retention: 10 * day };

async function waiting() {
  const world = new World(agent, { settings });
  const { taskId } = await world.send('go');
  await world.work();
  return { world, taskId };
}

/** A subscriber's stream, as another process reads it. */
async function subscribed(world: World, taskId: string) {
  const frames: Frame[] = [];
  const { signal } = new AbortController();
  const other = new World(agent, { below: world, settings });
  await other.clock.advance(world.clock.now() - other.clock.now());
  const stream = await other.service.stream(other.principal, taskId, { until: 'terminal' }, signal);
  if (isRefused(stream)) throw new Error(stream.code);
  let ended = false;
  void (async () => {
    for await (const frame of stream) frames.push(frame);
    ended = true;
  })();
  await other.rest();
  return { frames, other, ended: () => ended };
}

describe('a wait for a person that is over', () => {
  it('ends the task with a reason: one last frame, and every open stream ends', async () => {
    const { world, taskId } = await waiting();
    const { ended, frames } = await subscribed(world, taskId);
    await world.clock.advance(3 * day + 10_000);
    await sweep(world.app);
    await world.work();
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'WAIT_ENDED' },
    });
    await world.rest();
    expect(ended()).toBe(true);
    expect(frames.at(-1)).toMatchObject({ kind: 'event', event: { state: 'FAILED' } });
    // Its context is free, and a late answer is told why it is not taken.
    expect(await world.code(world.trySend([{ text: 'late' }], { taskId }))).toBe('TASK_TERMINAL');
  });

  it('is removed a day later, not sooner', async () => {
    const { world, taskId } = await waiting();
    await world.clock.advance(3 * day + 10_000);
    await sweep(world.app);
    await world.work();
    await world.clock.advance(day - 60_000);
    await sweep(world.app);
    await world.work();
    expect(await world.state(taskId)).toBe('FAILED');
    await world.clock.advance(120_000);
    await sweep(world.app);
    await world.work();
    expect(await world.code(world.service.get(world.principal, taskId))).toBe('TASK_NOT_FOUND');
  });

  it('a wake-up that comes when the run was answered, and asks anew, ends nothing', async () => {
    const { world, taskId } = await waiting();
    await world.clock.advance(2 * day);
    await world.send('because', { taskId });
    await world.work();
    await world.clock.advance(2 * day);
    expect(await purgeOverdue(world.app, taskId)).toBe('in-use');
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
  });
});

it('a stream of a task that was removed at once ends, also in another process', async () => {
  const { world, taskId } = await waiting();
  const { ended, other } = await subscribed(world, taskId);
  expect(await purgeRun(world.app, taskId)).toBe('purged');
  await other.clock.advance(61_000);
  await other.rest();
  expect(ended()).toBe(true);
  expect(other.clock.waiting).toBe(0);
});
