import { defineAgent, type ScheduleDeclaration } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { rowsByAgent } from '../../shared/app/schedules/rows.ts';
import type { Run } from '../../shared/domain/run.ts';
import type { ScheduleRow } from '../../shared/domain/schedule.ts';
import { allRuns } from '../../testing/rows.ts';
import { World, type WorldOptions } from './world.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** An agent that begins a task at each full hour, and says which hour it was for. */
export const hourly = (schedule: Partial<ScheduleDeclaration> = {}, name = 'digest') =>
  defineAgent({
    name,
    description: 'Sums up.',
    schedule: { cron: '0 * * * *', ...schedule },
    run(ctx) {
      if (ctx.text === 'ask') ctx.ask('What?');
      return `for ${ctx.schedule?.at.toISOString() ?? 'a caller'}`;
    },
  });

/** A world whose sweeper has come once: the first tick is at 09:00, an hour after its start. */
export async function scheduled(agent = hourly(), options: WorldOptions = {}): Promise<World> {
  const world = new World(agent, options);
  await sweep(world.app);
  return world;
}

/** Time passes without a sweeper, then one comes. */
export async function passes(world: World, span: number): Promise<void> {
  await world.clock.advance(span);
  await sweep(world.app);
  await world.work();
}

/** Tasks of the schedule, in the order in which they were made. */
export const tasksOf = (world: World): readonly Run[] =>
  allRuns(world.backend).toSorted((a, b) => a.createdAt - b.createdAt);

export async function rowOf(world: World): Promise<ScheduleRow | undefined> {
  return (await rowsByAgent(world.app)).get('digest');
}

export const at = (hour: number): number => Date.UTC(2027, 0, 15, hour);
