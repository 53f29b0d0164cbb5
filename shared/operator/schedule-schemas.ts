import { z } from 'zod';
import { MISSED_RULES, OVERLAP_RULES } from '../domain/schedule.ts';
import { RIGHTS } from '../ports/grants.ts';
import { component } from './components.ts';
import { instant } from './instant.ts';

const count = z.number().int();

export const scheduleRow = component(
  'Schedule',
  z.object({
    agent: z.string(),
    status: z.enum(['active', 'paused', 'retired']).meta({
      description: '`retired`: its agent declares no schedule any more, and nothing ticks',
    }),
    cron: z.string(),
    timezone: z.string(),
    missed: z
      .enum(MISSED_RULES)
      .optional()
      .meta({ description: 'the rule for ticks that were missed; absent if it is retired' }),
    overlap: z.enum(OVERLAP_RULES).optional(),
    owner: z.string().optional().meta({ description: 'whose tasks they are' }),
    nextAt: instant.optional().meta({
      description: 'of the next tick; absent if it is not active, or its rule has no tick any more',
    }),
    pausedSince: instant.optional(),
    lastTick: instant.optional().meta({ description: 'the time that the newest tick was for' }),
    lastTask: z
      .string()
      .optional()
      .meta({ description: 'the run of the newest tick that made one' }),
    lastStatus: z
      .string()
      .optional()
      .meta({ description: 'of that run; absent when it is removed' }),
    missedTicks: count.meta({
      description: 'that made no task because nothing ran at their time, or a pause came first',
    }),
    skippedTicks: count.meta({
      description: 'that made none because the task before was not finished',
    }),
    refusal: z
      .string()
      .optional()
      .meta({ description: 'why the newest tick was refused; absent if it made its task' }),
    may: z.array(z.enum(RIGHTS)).meta({ description: 'what this operator may do to its agent' }),
  }),
);

export const scheduleList = component(
  'ScheduleList',
  z.object({ schedules: z.array(scheduleRow) }),
);
