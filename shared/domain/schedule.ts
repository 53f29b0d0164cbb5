import { z } from 'zod';
import type { Millis } from './brand.ts';
import { derivedUuid } from './derived-id.ts';
import { compositeKey } from './digest.ts';
import type { TaskId } from './ids.ts';
import type { Message, Part } from './message.ts';

/**
 * What becomes of ticks that no process was there for: none is made up for, one task stands for all
 * of them, or each gets its own.
 */
export const MISSED_RULES = ['skip', 'one', 'all'] as const;
export type MissedRule = (typeof MISSED_RULES)[number];

/** Whether a tick makes a task while the one of the tick before is not finished. */
export const OVERLAP_RULES = ['allow', 'skip'] as const;
export type OverlapRule = (typeof OVERLAP_RULES)[number];

/** When an agent begins a task of its own accord, as its code declares it. */
export interface Schedule {
  readonly cron: string;
  /** IANA time zone that the rule is read in. */
  readonly timezone: string;
  readonly missed: MissedRule;
  readonly overlap: OverlapRule;
  /** Whose tasks they are. */
  readonly owner: string;
  /** What a task begins with; empty: a line that names the tick. */
  readonly parts: readonly Part[];
  /** The first tick after that time; undefined: there is none any more. */
  readonly next: (after: Millis) => Millis | undefined;
}

/** A rule that another one took the place of, and when. */
export interface Replaced {
  readonly rule: string;
  readonly at: Millis;
}

/** How far a schedule has come: one row for each agent that ever had one. */
export interface ScheduleRow {
  readonly agent: string;
  /** Which rule the row goes by; empty: its agent declares none any more. */
  readonly rule: string;
  readonly cron: string;
  readonly timezone: string;
  /** Null: it is paused or retired, or the rule has no tick any more. */
  readonly nextAt: Millis | null;
  readonly pausedAt: Millis | null;
  readonly lastTick: Millis | null;
  /** The task that it made. */
  readonly lastTask: string | null;
  /** Ticks that made no task because they were missed. */
  readonly missed: number;
  /** Ticks that made none because the task before was not finished. */
  readonly skipped: number;
  /** Why the last tick made no task although it was to. */
  readonly refusal: string | null;
  readonly replaced: readonly Replaced[];
}

/** Names the ticks of a rule: how a missed one is made up for is no part of it. */
export const ruleOf = ({ cron, timezone }: Pick<Schedule, 'cron' | 'timezone'>): string =>
  compositeKey('schedule', cron, timezone);

/**
 * The id of the task that a tick makes follows from the tick: a tick that is made twice, by
 * whatever processes and however far apart, is one task.
 */
export const tickTask = (agent: string, at: Millis): TaskId =>
  derivedUuid(JSON.stringify(['tick', agent, at])) as TaskId;

/** The same of a task that an operator asked for between the ticks. */
export const extraTask = (agent: string, requestId: string): TaskId =>
  derivedUuid(JSON.stringify(['schedule', agent, requestId])) as TaskId;

/** Of late ticks so many are made up for at most. */
export const MISSED_MOST = 100;
/** A sweep that comes this late after a tick is still on time. */
export const LATE: Millis = 5 * 60_000;
/** So many ticks are counted; behind them only the newest are looked for. */
const LOOKED = 1_000;

/** What one commit does with a row whose time has come. */
export interface Step {
  /** The tick that is to make a task. Absent: all that is due was missed. */
  readonly tick?: Millis;
  /** Ticks before it that make none. */
  readonly missed: number;
  readonly nextAt: Millis | null;
}

/** What is to be done next, by the rule for missed ticks. Undefined: nothing is due. */
export function stepOf(
  schedule: Pick<Schedule, 'missed' | 'next'>,
  { nextAt }: Pick<ScheduleRow, 'nextAt'>,
  now: Millis,
): Step | undefined {
  if (nextAt === null || nextAt > now) return undefined;
  const { passed, ticks } = dueTicks(schedule, nextAt, now);
  const [first = nextAt] = ticks;
  const last = ticks.at(-1) ?? nextAt;
  const after = (tick: Millis): Millis | null => schedule.next(tick) ?? null;
  switch (schedule.missed) {
    case 'all':
      return { tick: first, missed: passed, nextAt: after(first) };
    case 'one':
      return { tick: last, missed: passed + ticks.length - 1, nextAt: after(last) };
    case 'skip':
      return now - last <= LATE
        ? { tick: last, missed: passed + ticks.length - 1, nextAt: after(last) }
        : { missed: passed + ticks.length, nextAt: after(last) };
  }
}

/** The newest ticks from that one to now, and how many came before them. */
function dueTicks(
  { next }: Pick<Schedule, 'next'>,
  from: Millis,
  now: Millis,
): { readonly ticks: readonly Millis[]; readonly passed: number } {
  const ticks: Millis[] = [];
  let passed = 0;
  for (let at: Millis | undefined = from; at !== undefined && at <= now; ) {
    ticks.push(at);
    if (ticks.length > MISSED_MOST) passed += 1;
    // Of a rule that ticks each minute a year has half a million: it goes on shortly before now.
    const leap = passed === LOOKED ? (at - from) / 9 : 0;
    at = next(leap > 0 ? Math.max(at, now - leap) : at);
  }
  return { ticks: ticks.slice(-MISSED_MOST), passed };
}

/** The first tick that a row waits for: no tick is made twice, also where a clock went back. */
export function firstTick(
  { next }: Pick<Schedule, 'next'>,
  row: Pick<ScheduleRow, 'lastTick'> | undefined,
  now: Millis,
): Millis | null {
  return next(Math.max(now, row?.lastTick ?? now)) ?? null;
}

/** Its row while it is paused: a tick that was due and has made no task yet was missed. */
export function paused(
  schedule: Pick<Schedule, 'cron' | 'next' | 'timezone'>,
  row: ScheduleRow,
  now: Millis,
): ScheduleRow {
  const { next } = schedule;
  // Of a rule of another release only that one knows the ticks.
  const due =
    row.rule === ruleOf(schedule) ? stepOf({ missed: 'skip', next }, row, now) : undefined;
  const missed = due === undefined ? 0 : due.missed + (due.tick === undefined ? 0 : 1);
  return { ...row, pausedAt: now, nextAt: null, missed: row.missed + missed };
}

/**
 * The row of an agent that declares this schedule, or none. Undefined: it says so already, or a
 * rule that another release replaced less than `settle` ago would come back: while a new release is
 * rolled out, instances of the old one still declare theirs.
 */
export function declared(
  agent: string,
  schedule: Schedule | undefined,
  row: ScheduleRow | undefined,
  { now, settle }: { readonly now: Millis; readonly settle: Millis },
): ScheduleRow | undefined {
  const rule = schedule === undefined ? '' : ruleOf(schedule);
  const before = row?.rule ?? '';
  if (rule === before) return undefined;
  const recent = (row?.replaced ?? []).filter(({ at }) => Math.abs(now - at) < settle);
  if (recent.some((each) => each.rule === rule)) return undefined;
  return {
    ...(row ?? newRow(agent)),
    rule,
    ...(schedule && { cron: schedule.cron, timezone: schedule.timezone }),
    nextAt:
      schedule === undefined || (row?.pausedAt ?? null) !== null
        ? null
        : firstTick(schedule, row, now),
    replaced: settle === 0 ? [] : [...recent, { rule: before, at: now }],
  };
}

const newRow = (agent: string): ScheduleRow => ({
  agent,
  rule: '',
  cron: '',
  timezone: '',
  nextAt: null,
  pausedAt: null,
  lastTick: null,
  lastTask: null,
  missed: 0,
  skipped: 0,
  refusal: null,
  replaced: [],
});

/** Under this key the message of a tick says which one it is. */
export const TICK_METADATA = 'holdfast/schedule';

const tickSchema = z.object({
  agent: z.string(),
  at: z.iso.datetime(),
  timezone: z.string(),
  requestId: z.string().exactOptional(),
});

/** What a task was made by, if it was by a schedule. */
export interface ScheduledAt {
  readonly at: Date;
  readonly timezone: string;
}

/**
 * The tick that made a task, by the first message of it. A caller who writes the same metadata has
 * another task: its id does not follow from the tick.
 */
export function tickOf(
  taskId: string,
  { metadata }: Pick<Message, 'metadata'>,
): ScheduledAt | undefined {
  const parsed = tickSchema.safeParse(metadata?.[TICK_METADATA]);
  if (!parsed.success) return undefined;
  const { agent, requestId, timezone } = parsed.data;
  const at = new Date(parsed.data.at);
  const made =
    requestId === undefined ? tickTask(agent, at.getTime()) : extraTask(agent, requestId);
  return made === taskId ? { at, timezone } : undefined;
}
