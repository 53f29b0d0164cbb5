import { describe, expect, it } from 'vitest';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { tickTask } from '../../shared/domain/schedule.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { at, HOUR, hourly, MINUTE, passes, rowOf, scheduled, tasksOf } from './schedule-world.ts';
import { World } from './world.ts';

/**
 * A schedule ticks three times, the last two of them missed; at one call after the other, to the
 * store, the process fails or dies. Another one takes over. Whatever happened: each tick is one
 * task, and each task ended as its agent does.
 */
async function ticksWith(breaking: Breaking): Promise<void> {
  const settings = { transactionDeadline: 200 };
  const agent = hourly({ missed: 'all' });
  // From its first sweep on a schedule is known.
  const below = await scheduled(agent, { settings });
  const wrap = (backend: Backend) => breaking.store(backend);
  const world = new World(agent, { settings, below, seed: 2, wrap });
  for (const span of [HOUR, 2 * HOUR]) {
    await world.clock.advance(span);
    void sweep(world.app).catch(() => undefined);
    await world.rest();
    await world.work();
  }
  const next = new World(agent, { settings, below: world, seed: 3 });
  await next.clock.advance(3 * HOUR);
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await passes(next, MINUTE);
  const made = tasksOf(next);
  expect(new Set(made.map(({ taskId }) => taskId))).toEqual(
    new Set([at(9), at(10), at(11)].map((tick) => tickTask('digest', tick))),
  );
  expect(made.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  expect(await rowOf(next)).toMatchObject({ nextAt: at(12), lastTick: at(11), missed: 0 });
}

describe('each tick is one task, whatever call the sweeper is lost at', () => {
  it.each(BREAKS)('%s it', async (how: Break) => {
    const whole = new Breaking(Number.POSITIVE_INFINITY, 'before');
    await ticksWith(whole);
    expect(whole.names.filter((name) => name === 'commit').length).toBeGreaterThan(8);
    await atEachCall(whole, how, ticksWith);
  });
});
