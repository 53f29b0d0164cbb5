import type { SeenSchedule as Seen } from '../shared/app/operators/schedules.ts';

/** A schedule as an operator sees it. */
export interface SeenSchedule {
  readonly agent: string;
  /** Undefined: it is paused, or the rule has no tick any more. */
  readonly next?: Date;
  readonly paused: boolean;
  readonly lastTick?: Date;
  /** The task that the last tick made. */
  readonly lastTask?: string;
  /** Ticks that made no task because nothing ran when they came. */
  readonly missed: number;
  /** Ticks that made none because the task before was not finished. */
  readonly skipped: number;
  /** The code with which the last tick was refused, if it was. */
  readonly refused?: string;
}

export function seenSchedule({ agent, row }: Seen): SeenSchedule {
  const { lastTask, lastTick, missed, nextAt, pausedAt, refusal, skipped } = row;
  return {
    agent,
    ...(nextAt !== null && { next: new Date(nextAt) }),
    paused: pausedAt !== null,
    ...(lastTick !== null && { lastTick: new Date(lastTick) }),
    ...(lastTask !== null && { lastTask }),
    missed,
    skipped,
    ...(refusal !== null && { refused: refusal }),
  };
}
