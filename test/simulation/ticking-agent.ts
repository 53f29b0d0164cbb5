import { defineAgent } from '../../shared/agent/index.ts';
import type { Agent } from '../../shared/app/agents.ts';
import { rowToDoc, scheduleDoc } from '../../shared/app/records/schedule-document.ts';
import { isEnded } from '../../shared/domain/run.ts';
import { declared, type Schedule, tickTask } from '../../shared/domain/schedule.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { taskFacts } from '../../testing/rows.ts';
import { Client } from './client.ts';
import type { Scenario } from './scenarios.ts';
import type { World } from './world.ts';

export const TICKING = 'ticks';
const EVERY = 700;
/** When the clock of a world starts. */
const START = 1_800_000_000_000;
/** So that a world can come to rest, its schedule has an end. */
const TICKS = Array.from({ length: 3 }, (_, at) => START + (at + 1) * EVERY);

/** An agent that begins a task every 700 milliseconds, which no rule of cron can say. */
export function tickingAgent(clock: Clock): Agent {
  const agent = defineAgent({
    name: TICKING,
    description: 'Ticks.',
    async run(ctx) {
      await clock.sleep(30, ctx.signal);
      return `for ${ctx.schedule?.at.getTime() ?? 0}`;
    },
  });
  return { ...agent, schedule: scheduleOf() };
}

const scheduleOf = (): Schedule => ({
  cron: 'three',
  timezone: 'UTC',
  missed: 'all',
  overlap: 'allow',
  owner: 'schedule:ticks',
  parts: [],
  next: (after) => TICKS.find((at) => at > after),
});

/** The schedule is known, and its time comes: each tick is one task, whatever else happens. */
export const ticking: Scenario = {
  ticks: true,
  plainly: true,
  async story(world) {
    const client = new Client(world, TICKING);
    const schedule = scheduleOf();
    const begun = declared(TICKING, schedule, undefined, { now: START, settle: 0 });
    if (begun === undefined) throw new Error('no row');
    const fields = scheduleDoc(TICKING).codec.encode(rowToDoc(begun));
    await world.backend.commit([], [{ path: `schedules/${TICKING}`, fields, expect: 'any' }]);
    const isOver = () => world.backend.peek(`schedules/${TICKING}`)?.fields['nextAt'] === null;
    while (!isOver()) await client.pause(100);
    const lost = TICKS.filter((at) => !isMade(world, at));
    if (lost.length > 0)
      throw new Error(`no task of the ticks ${lost.map((at) => at - START).join(' ')}`);
    while (!TICKS.every((at) => isOverFor(world, at))) await client.pause(100);
    client.stop();
  },
};

const isMade = (world: World, at: number): boolean =>
  taskFacts(world.backend, tickTask(TICKING, at)) !== undefined;

function isOverFor(world: World, at: number): boolean {
  const run = taskFacts(world.backend, tickTask(TICKING, at));
  return run !== undefined && isEnded(run);
}
