import type { AgentName } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import {
  declared,
  firstTick,
  paused,
  ruleOf,
  type Schedule,
  type ScheduleRow,
} from '../../domain/schedule.ts';
import type { App } from '../app.ts';
import { prepareAudit } from '../content/audit-record.ts';
import { runDoc } from '../records/documents.ts';
import { rowToDoc, scheduleDoc } from '../records/schedule-document.ts';
import { rowsByAgent, settleOf } from '../schedules/rows.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { agentFor } from './pause-agent.ts';

/** A schedule as an operator sees it. */
export interface SeenSchedule {
  readonly kind: 'schedule';
  readonly agent: AgentName;
  /** Absent: the agent declares none any more. */
  readonly schedule?: Schedule;
  readonly row: ScheduleRow;
  /** Of its last tick, if it is still there. */
  readonly lastRun?: Run;
}

/** Of agents that this operator has any right on, in their order. */
export async function listSchedules(
  app: App,
  { rights }: Operator,
  agents: readonly AgentName[],
): Promise<readonly SeenSchedule[]> {
  const rows = await rowsByAgent(app);
  const seen: SeenSchedule[] = [];
  for (const agent of agents) {
    const schedule = app.agents.get(agent)?.schedule;
    const row = rows.get(agent) ?? (schedule && declaredNow(app, agent, schedule));
    if (row === undefined || (await rights(agent)).size === 0) continue;
    seen.push(await seenOf(app, agent, schedule, row));
  }
  return seen;
}

/** Before the first sweep has written it. */
const declaredNow = (app: App, agent: AgentName, schedule: Schedule, row?: ScheduleRow) =>
  declared(agent, schedule, row, { now: app.clock.now(), settle: settleOf(app) }) ?? row;

async function seenOf(
  app: App,
  agent: AgentName,
  schedule: Schedule | undefined,
  row: ScheduleRow,
): Promise<SeenSchedule> {
  const lastRun = row.lastTask === null ? undefined : await app.store.get(runDoc(row.lastTask));
  return {
    kind: 'schedule',
    agent,
    row,
    ...(schedule !== undefined && { schedule }),
    ...(lastRun !== undefined && { lastRun }),
  };
}

/** No tick makes a task until it is resumed. That it is paused already is no error. */
export function pauseSchedule(
  app: App,
  operator: Operator,
  agent: AgentName,
): Promise<SeenSchedule | OperatorRefused> {
  return change(app, operator, agent, 'pause-schedule', (row, schedule) =>
    row.pausedAt === null ? paused(schedule, row, app.clock.now()) : undefined,
  );
}

/** Goes on with the first tick from now on: those of the pause are not made up for. */
export function resumeSchedule(
  app: App,
  operator: Operator,
  agent: AgentName,
): Promise<SeenSchedule | OperatorRefused> {
  return change(app, operator, agent, 'resume-schedule', (row, schedule) => {
    if (row.pausedAt === null) return undefined;
    const resumed = { ...row, pausedAt: null };
    // Of a rule of another release only that one knows the ticks: its next sweep takes the row up.
    if (row.rule !== ruleOf(schedule)) return { ...resumed, rule: '', nextAt: null };
    return { ...resumed, nextAt: firstTick(schedule, row, app.clock.now()) };
  });
}

async function change(
  app: App,
  operator: Operator,
  agent: AgentName,
  act: 'pause-schedule' | 'resume-schedule',
  to: (row: ScheduleRow, schedule: Schedule) => ScheduleRow | undefined,
): Promise<SeenSchedule | OperatorRefused> {
  const schedule = await scheduleFor(app, operator, agent, 'pause');
  if ('kind' in schedule) return schedule;
  const note = await prepareAudit(app, { act, operator: operator.subject });
  const at = scheduleDoc(agent);
  const row = await app.store.transact(async (tx) => {
    const present = declaredNow(app, agent, schedule, await tx.get(at));
    const next = present && to(present, schedule);
    if (next === undefined) return present;
    tx.set(at, rowToDoc(next));
    note(tx, { agent });
    return next;
  });
  if (row === undefined) return unknownSchedule();
  app.log.write('info', act === 'pause-schedule' ? 'schedule paused' : 'schedule resumed', {
    agent,
  });
  return seenOf(app, agent, schedule, row);
}

/** The schedule of an agent that this operator has that right on. */
export async function scheduleFor(
  app: App,
  operator: Operator,
  agent: AgentName,
  right: 'pause' | 'try',
): Promise<Schedule | OperatorRefused> {
  const refused = await agentFor(app, operator, agent, right);
  return refused ?? app.agents.get(agent)?.schedule ?? unknownSchedule();
}

const unknownSchedule = (): OperatorRefused =>
  notAllowed('SCHEDULE_NOT_FOUND', 'the agent has no schedule');
