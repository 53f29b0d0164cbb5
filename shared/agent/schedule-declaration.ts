import {
  MISSED_RULES,
  type MissedRule,
  OVERLAP_RULES,
  type OverlapRule,
  type Schedule,
} from '../domain/schedule.ts';
import { cronTicks, isTimezone } from './cron.ts';
import { toParts, type Words } from './parts.ts';

/** When an agent begins a task of its own accord (docs/schedules.md). */
export interface ScheduleDeclaration {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA time zone that the rule is read in. Default: `UTC`. */
  readonly timezone?: string;
  /** What each task begins with. Default: a line that names the time of its tick. */
  readonly message?: Words;
  /**
   * What becomes of ticks that no process was there for: `skip` makes up for none of them, `one`
   * has one task stand for all, `all` makes each, the newest 100 at most. Default: `one`.
   */
  readonly missed?: MissedRule;
  /** `skip`: no task while the one of the tick before is not finished. Default: `allow`. */
  readonly overlap?: OverlapRule;
  /**
   * The caller whose tasks they are, as callers are named here. Default: `schedule:<agent>`, which
   * is no caller: operators alone see them.
   */
  readonly owner?: string;
}

const KEYS = ['cron', 'timezone', 'message', 'missed', 'overlap', 'owner'];
const OWNER_MOST = 500;

/** What is wrong with a schedule, in words for the author; empty if nothing. */
export function scheduleProblems(given: unknown): readonly string[] {
  if (given === undefined) return [];
  const fields = typeof given === 'string' ? { cron: given } : given;
  if (typeof fields !== 'object' || fields === null)
    return ['schedule must be a cron rule, or an object with one in `cron`.'];
  const {
    cron,
    message,
    missed,
    overlap,
    owner,
    timezone = 'UTC',
  } = fields as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((key) => !KEYS.includes(key));
  return [
    ...unknown.map((key) => `schedule.${key} is not known; there are ${KEYS.join(', ')}.`),
    ...timeProblems(cron, timezone),
    ...(isOneOf(MISSED_RULES, missed)
      ? []
      : [`schedule.missed must be one of ${MISSED_RULES.join(', ')}.`]),
    ...(isOneOf(OVERLAP_RULES, overlap)
      ? []
      : [`schedule.overlap must be one of ${OVERLAP_RULES.join(', ')}.`]),
    ...(owner === undefined || (typeof owner === 'string' && owner.length <= OWNER_MOST)
      ? []
      : [`schedule.owner must be a text of at most ${OWNER_MOST} characters.`]),
    ...messageProblems(message),
  ];
}

function timeProblems(cron: unknown, timezone: unknown): readonly string[] {
  if (typeof timezone !== 'string' || !isTimezone(timezone))
    return [
      `schedule.timezone ${JSON.stringify(timezone)} is no time zone that is known here; it is a name like Europe/Berlin.`,
    ];
  if (typeof cron !== 'string') return ['schedule.cron must be a text of five fields.'];
  try {
    if (cronTicks(cron, timezone)(Date.UTC(2000, 0)) !== undefined) return [];
    return [`schedule.cron ${JSON.stringify(cron)} never comes.`];
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Cron\w+: /v, '') : String(error);
    return [`schedule.cron ${JSON.stringify(cron)} is no rule of five fields: ${why}`];
  }
}

const isOneOf = (all: readonly string[], value: unknown): boolean =>
  value === undefined || all.some((each) => each === value);

function messageProblems(message: unknown): readonly string[] {
  try {
    if (message !== undefined) toParts(message as Words, 'schedule.message');
    return [];
  } catch (error) {
    return [`${error instanceof Error ? error.message : String(error)}.`];
  }
}

/** As the application sees it. It is without problems. */
export function scheduleOf(agent: string, given: string | ScheduleDeclaration): Schedule {
  const {
    cron,
    message = '',
    missed = 'one',
    overlap = 'allow',
    owner = `schedule:${agent}`,
    timezone = 'UTC',
  } = typeof given === 'string' ? { cron: given } : given;
  const parts = toParts(message, 'schedule.message');
  return { cron, timezone, missed, overlap, owner, parts, next: cronTicks(cron, timezone) };
}
