import {
  MISSED_MOST,
  ruleOf,
  type Schedule,
  type ScheduleRow,
  type Step,
  stepOf,
  tickTask,
} from '../../domain/schedule.ts';
import { isRefused } from '../../domain/refusal.ts';
import { isActive } from '../../domain/transitions.ts';
import type { Transaction } from '../../ports/store.ts';
import type { Agent } from '../agents.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { rowToDoc, scheduleDoc } from '../records/schedule-document.ts';
import { acceptFor, type Cause } from '../tasks/accept-message.ts';
import { callerOf, tickRequest } from './tick-request.ts';

/** What became of a tick: of these the row notes one beside its time. */
type Fate = Partial<Pick<ScheduleRow, 'lastTask' | 'refusal' | 'skipped'>>;

/**
 * Makes the tasks of all ticks that are due, oldest first, each in the commit that moves the row
 * on: a process that is lost before it has made nothing, one that is lost after it all. Answers how
 * many it made. Throws Unavailable, Contention.
 */
export async function makeTicks(app: App, agent: Agent, schedule: Schedule): Promise<number> {
  let made = 0;
  for (let steps = 0; steps <= MISSED_MOST; steps += 1) {
    const row = await app.store.get(scheduleDoc(agent.name));
    if (row === undefined || row.rule !== ruleOf(schedule)) break;
    const step = stepOf(schedule, row, app.clock.now());
    if (step === undefined) break;
    if (await take(app, agent, schedule, { row, step })) made += 1;
  }
  return made;
}

interface Due {
  readonly row: ScheduleRow;
  readonly step: Step;
}

async function take(app: App, agent: Agent, schedule: Schedule, due: Due): Promise<boolean> {
  const { row, step } = due;
  const { name } = agent;
  const { missed, tick } = step;
  if (missed > 0) app.log.write('warning', 'ticks missed', { agent: name, missed });
  if (tick === undefined) return moveOn(app, due, {});
  if (schedule.overlap === 'skip' && (await isAtWork(app, row))) {
    app.log.write('info', 'tick skipped', { agent: name, task: row.lastTask });
    return moveOn(app, due, { skipped: row.skipped + 1 });
  }
  const taskId = tickTask(name, tick);
  const cause: Cause = {
    taskId,
    async read(tx) {
      // There already: a clock went back, or the row was lost and the run was not.
      if ((await tx.get(runDoc(taskId))) !== undefined) return undefined;
      return moving(tx, due, { lastTask: taskId, refusal: null });
    },
  };
  const request = tickRequest(name, schedule, { taskId, at: tick });
  const outcome = await acceptFor(app, callerOf(name, schedule), request, cause);
  if (outcome === undefined) return moveOn(app, due, { lastTask: taskId, refusal: null });
  if (isRefused(outcome)) {
    app.log.write('warning', 'tick refused', { agent: name, code: outcome.code });
    return moveOn(app, due, { refusal: outcome.code });
  }
  app.log.write('info', 'tick', { agent: name, task: taskId });
  return true;
}

async function isAtWork(app: App, { lastTask }: ScheduleRow): Promise<boolean> {
  const run = lastTask === null ? undefined : await app.store.get(runDoc(lastTask));
  return run !== undefined && isActive(run);
}

/** The tick makes no task. If another process was first, it stays at that. */
async function moveOn(app: App, due: Due, fate: Fate): Promise<false> {
  await app.store.transact(async (tx) => (await moving(tx, due, fate))?.(tx));
  return false;
}

/** Undefined: the row does not wait for that tick any more. */
async function moving(
  tx: Pick<Transaction, 'get'>,
  { row, step }: Due,
  fate: Fate,
): Promise<((to: Pick<Transaction, 'set'>) => void) | undefined> {
  const at = scheduleDoc(row.agent);
  const present = await tx.get(at);
  if (present === undefined || present.rule !== row.rule || present.nextAt !== row.nextAt)
    return undefined;
  const { missed, nextAt, tick } = step;
  const next = {
    ...present,
    ...fate,
    nextAt,
    missed: present.missed + missed,
    ...(tick !== undefined && { lastTick: tick }),
  };
  return (to) => to.set(at, rowToDoc(next));
}
