import { z } from 'zod';
import type { App } from '../app/app.ts';
import { shownStatus } from '../app/operators/run-filter.ts';
import type { Operator } from '../app/operators/operator-rights.ts';
import {
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  type SeenSchedule,
} from '../app/operators/schedules.ts';
import { type AgentName, agentName } from '../domain/ids.ts';
import { fail, taken } from './failure.ts';
import { operation, requireOperator, type Surroundings } from './operation.ts';
import { rowOf as runRowOf } from './run-row.ts';
import { runRow } from './run-schemas.ts';
import { scheduleList, scheduleRow } from './schedule-schemas.ts';

async function rowOf(
  { agent, lastRun, row, schedule }: SeenSchedule,
  { rights }: Operator,
): Promise<z.input<typeof scheduleRow>> {
  const { lastTask, lastTick, missed, nextAt, pausedAt, refusal, skipped } = row;
  const active = pausedAt === null ? 'active' : 'paused';
  return {
    agent,
    status: schedule === undefined ? 'retired' : active,
    cron: row.cron,
    timezone: row.timezone,
    ...(schedule && {
      missed: schedule.missed,
      overlap: schedule.overlap,
      owner: schedule.owner,
    }),
    ...(nextAt !== null && { nextAt }),
    ...(pausedAt !== null && { pausedSince: pausedAt }),
    ...(lastTick !== null && { lastTick }),
    ...(lastTask !== null && { lastTask }),
    ...(lastRun && { lastStatus: shownStatus(lastRun) }),
    missedTicks: missed,
    skippedTicks: skipped,
    ...(refusal !== null && { refusal }),
    may: [...(await rights(agent))],
  };
}

function named(name = ''): AgentName {
  const agent = agentName(name);
  if (agent === undefined) throw fail('AGENT_NOT_FOUND');
  return agent;
}

type Act = (
  app: App,
  caller: Operator,
  agent: AgentName,
) => ReturnType<typeof pauseSchedule | typeof resumeSchedule>;

const acted = async (act: Act, { app, caller }: Surroundings, name?: string) =>
  rowOf(taken(await act(app, caller, named(name))), caller);

/** Loaded when first asked for: it accepts messages, which operators seldom send. */
const runs = () => import('../app/operators/run-schedule.ts');

const errors = ['AGENT_NOT_FOUND', 'SCHEDULE_NOT_FOUND'] as const;

export const scheduleOperations = [
  operation({
    id: 'listSchedules',
    method: 'GET',
    path: '/schedules',
    summary:
      'When agents begin tasks of their own accord: the next tick, the last one, what was missed.',
    right: 'any',
    answer: scheduleList,
    async handle(around) {
      await requireOperator(around);
      const { agents, app, caller } = around;
      const seen = await listSchedules(app, caller, agents);
      return { schedules: await Promise.all(seen.map((each) => rowOf(each, caller))) };
    },
  }),
  operation({
    id: 'pauseSchedule',
    method: 'POST',
    path: '/schedules/{agent}/pause',
    summary: 'No tick makes a task until it is resumed; tasks that were made go on.',
    right: 'pause',
    body: z.strictObject({}),
    answer: scheduleRow,
    errors,
    handle: (around, { params }) => acted(pauseSchedule, around, params['agent']),
  }),
  operation({
    id: 'resumeSchedule',
    method: 'POST',
    path: '/schedules/{agent}/resume',
    summary: 'Goes on with the next tick; those of the pause are not made up for.',
    right: 'pause',
    body: z.strictObject({}),
    answer: scheduleRow,
    errors,
    handle: (around, { params }) => acted(resumeSchedule, around, params['agent']),
  }),
  operation({
    id: 'runSchedule',
    method: 'POST',
    path: '/schedules/{agent}/run',
    summary:
      'Makes a task as a tick would, now, also while it is paused. The ticks go on as they were.',
    right: 'try',
    body: z.strictObject({
      requestId: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'of this request; repeated, it is answered by the run that it made' }),
    }),
    answer: runRow,
    errors: [...errors, 'RESULT_NOT_STORABLE'],
    async handle({ app, caller }, { body, params }) {
      const { runSchedule } = await runs();
      const run = taken(await runSchedule(app, caller, named(params['agent']), body.requestId));
      const may = await caller.rights(run.agent);
      return runRowOf({ run, may }, app.settings);
    },
  }),
];
