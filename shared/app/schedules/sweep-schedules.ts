import { declared, MISSED_MOST, type ScheduleRow } from '../../domain/schedule.ts';
import type { Agent } from '../agents.ts';
import type { App } from '../app.ts';
import { rowToDoc, scheduleDoc } from '../records/schedule-document.ts';
import { isTimeSteady } from '../records/steady-time.ts';
import { faultName } from '../wake-up.ts';
import { makeTicks } from './make-ticks.ts';
import { rowsByAgent, settleOf } from './rows.ts';

/**
 * Brings the rows of schedules in line with what the agents declare, and makes the ticks that are
 * due. The schedule of an agent that is not known here is another process's, and left alone. What
 * goes wrong with one schedule holds neither the others up nor the sweep. Answers how many tasks it
 * made.
 */
export async function sweepSchedules(app: App, signal?: AbortSignal): Promise<number> {
  const { all } = app.agents;
  if (all === undefined) return 0;
  try {
    const rows = await rowsByAgent(app);
    let made = 0;
    for (const agent of all) {
      // What is left of a long absence waits for the next sweep, as the rest of this one does not.
      if (made >= MISSED_MOST || signal?.aborted === true) break;
      const row = rows.get(agent.name);
      if (agent.schedule !== undefined || row !== undefined) made += await serve(app, agent, row);
    }
    return made;
  } catch (error) {
    app.log.write('error', 'schedule not swept', { fault: faultName(error) });
    return 0;
  }
}

async function serve(app: App, agent: Agent, known: ScheduleRow | undefined): Promise<number> {
  const { name, schedule } = agent;
  try {
    const row = (await register(app, agent, known)) ?? known;
    const isDue = (row?.nextAt ?? Number.POSITIVE_INFINITY) <= app.clock.now();
    if (schedule === undefined || !isDue || !(await isTimeSteady(app))) return 0;
    return await makeTicks(app, agent, schedule);
  } catch (error) {
    app.log.write('error', 'schedule not swept', { agent: name, fault: faultName(error) });
    return 0;
  }
}

/** Undefined: the row says already what is declared. */
async function register(
  app: App,
  { name, schedule }: Agent,
  known: ScheduleRow | undefined,
): Promise<ScheduleRow | undefined> {
  const settle = settleOf(app);
  const over = (row: ScheduleRow | undefined) =>
    declared(name, schedule, row, { now: app.clock.now(), settle });
  if (over(known) === undefined) return undefined;
  const at = scheduleDoc(name);
  const row = await app.store.transact(async (tx) => {
    const present = await tx.get(at);
    const next = over(present);
    if (next !== undefined) tx.set(at, rowToDoc(next));
    return next ?? present;
  });
  const event = schedule === undefined ? 'schedule retired' : 'schedule registered';
  app.log.write('info', event, { agent: name, nextAt: row?.nextAt ?? undefined });
  return row;
}
