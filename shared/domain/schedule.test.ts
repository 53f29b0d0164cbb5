import { describe, expect, it } from 'vitest';
import {
  declared,
  extraTask,
  firstTick,
  LATE,
  type MissedRule,
  MISSED_MOST,
  paused,
  ruleOf,
  type Schedule,
  type ScheduleRow,
  stepOf,
  TICK_METADATA,
  tickOf,
  tickTask,
} from './schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Ticks at each full hour. */
const hourly = (missed: MissedRule, over: Partial<Schedule> = {}): Schedule => ({
  cron: '0 * * * *',
  timezone: 'UTC',
  missed,
  overlap: 'allow',
  owner: '',
  parts: [],
  next: (after) => (Math.floor(after / HOUR) + 1) * HOUR,
  ...over,
});
const row = (over: Partial<ScheduleRow> = {}): ScheduleRow => ({
  agent: 'digest',
  rule: ruleOf(hourly('one')),
  cron: '0 * * * *',
  timezone: 'UTC',
  nextAt: HOUR,
  pausedAt: null,
  lastTick: null,
  lastTask: null,
  missed: 0,
  skipped: 0,
  refusal: null,
  replaced: [],
  ...over,
});

describe('a tick that is due', () => {
  it.each(['skip', 'one', 'all'] as const)(
    'makes its task, and the row waits for the next: %s',
    (missed) => {
      const step = { tick: HOUR, missed: 0, nextAt: 2 * HOUR };
      expect(stepOf(hourly(missed), row(), HOUR)).toEqual(step);
      expect(stepOf(hourly(missed), row(), HOUR + LATE)).toEqual(step);
    },
  );

  it('is not due a millisecond before, nor in a row that waits for none', () => {
    expect(stepOf(hourly('all'), row(), HOUR - 1)).toBeUndefined();
    expect(stepOf(hourly('all'), row({ nextAt: null }), 9 * HOUR)).toBeUndefined();
  });

  it('of a rule that ends is the last: the row waits for nothing more', () => {
    const once = hourly('one', { next: (after) => (after < HOUR ? HOUR : undefined) });
    expect(stepOf(once, row(), 5 * HOUR)).toEqual({ tick: HOUR, missed: 0, nextAt: null });
  });
});

describe('ticks that were missed', () => {
  const late = 5 * HOUR + LATE + 1;

  it('skip: make no task, not even the newest if it is late', () => {
    expect(stepOf(hourly('skip'), row(), late)).toEqual({ missed: 5, nextAt: 6 * HOUR });
    expect(stepOf(hourly('skip'), row(), 5 * HOUR)).toEqual({
      tick: 5 * HOUR,
      missed: 4,
      nextAt: 6 * HOUR,
    });
  });

  it('one: the newest stands for all, however late', () => {
    const step = { tick: 5 * HOUR, missed: 4, nextAt: 6 * HOUR };
    expect(stepOf(hourly('one'), row(), late)).toEqual(step);
  });

  it('all: each is made, oldest first, one a step', () => {
    const made: number[] = [];
    let at: number | null = HOUR;
    for (let step = stepOf(hourly('all'), row(), late); step !== undefined; ) {
      made.push(step.tick ?? 0);
      at = step.nextAt;
      step = stepOf(hourly('all'), row({ nextAt: at }), late);
    }
    expect(made).toEqual([1, 2, 3, 4, 5].map((hour) => hour * HOUR));
    expect(at).toBe(6 * HOUR);
  });

  it('all: makes the newest 100 of a longer absence, and counts the others', () => {
    const now = 300 * HOUR;
    expect(stepOf(hourly('all'), row(), now)).toEqual({
      tick: (300 - MISSED_MOST + 1) * HOUR,
      missed: 300 - MISSED_MOST,
      nextAt: (300 - MISSED_MOST + 2) * HOUR,
    });
  });

  it('of a year of minutes are not looked at one by one', () => {
    let asked = 0;
    const minutely = hourly('all', {
      next(after) {
        asked += 1;
        return (Math.floor(after / MINUTE) + 1) * MINUTE;
      },
    });
    const now = 365 * 24 * HOUR;
    const step = stepOf(minutely, row({ nextAt: MINUTE }), now);
    expect(asked).toBeLessThan(1_500);
    expect(step?.tick).toBe(now - (MISSED_MOST - 1) * MINUTE);
    expect(step?.missed).toBeGreaterThanOrEqual(1_000);
    const newest = stepOf({ ...minutely, missed: 'one' }, row({ nextAt: MINUTE }), now);
    expect(newest).toMatchObject({ tick: now, nextAt: now + MINUTE });
  });
});

describe('a schedule that is paused', () => {
  it('counts what was due and not made as missed, and nothing of the pause', () => {
    expect(paused(hourly('all'), row(), HOUR - 1)).toMatchObject({ nextAt: null, missed: 0 });
    expect(paused(hourly('all'), row({ missed: 2 }), 3 * HOUR)).toMatchObject({
      nextAt: null,
      pausedAt: 3 * HOUR,
      missed: 5,
    });
    const later = 3 * HOUR + LATE + 1;
    expect(paused(hourly('skip'), row(), later)).toMatchObject({ missed: 3 });
  });

  it('of another release is not counted by the rule of this one', () => {
    const other = row({ rule: 'other' });
    expect(paused(hourly('all'), other, 3 * HOUR)).toMatchObject({ nextAt: null, missed: 0 });
  });
});

describe('a clock that goes back', () => {
  it('brings no tick back: the row waits for the one after the last', () => {
    expect(firstTick(hourly('one'), row({ lastTick: 5 * HOUR }), 2 * HOUR)).toBe(6 * HOUR);
    expect(stepOf(hourly('one'), row({ nextAt: 6 * HOUR }), 2 * HOUR)).toBeUndefined();
  });
});

describe('the task of a tick', () => {
  it('follows from agent and tick, and from nothing else', () => {
    expect(tickTask('digest', HOUR)).toBe(tickTask('digest', HOUR));
    const others = [
      tickTask('digest', 2 * HOUR),
      tickTask('other', HOUR),
      extraTask('digest', 'a'),
    ];
    expect(new Set([tickTask('digest', HOUR), ...others]).size).toBe(4);
  });

  it('is known by its message, and a caller who writes the same is not', () => {
    const at = '1970-01-01T01:00:00.000Z';
    const tick = { agent: 'digest', at, timezone: 'Europe/Berlin' };
    const message = { metadata: { [TICK_METADATA]: tick } };
    expect(tickOf(tickTask('digest', HOUR), message)).toEqual({
      at: new Date(HOUR),
      timezone: 'Europe/Berlin',
    });
    expect(tickOf(tickTask('digest', 2 * HOUR), message)).toBeUndefined();
    const asked = { metadata: { [TICK_METADATA]: { ...tick, requestId: 'a' } } };
    expect(tickOf(extraTask('digest', 'a'), asked)?.at).toEqual(new Date(HOUR));
    expect(tickOf(extraTask('digest', 'b'), asked)).toBeUndefined();
    expect(tickOf(tickTask('digest', HOUR), {})).toBeUndefined();
    const wrong = { metadata: { [TICK_METADATA]: { ...tick, at: 'soon' } } };
    expect(tickOf(tickTask('digest', HOUR), wrong)).toBeUndefined();
  });
});

describe('what a release declares', () => {
  const now = 90 * MINUTE;
  const settle = 10 * MINUTE;
  const daily = hourly('one', { cron: '0 0 * * *', next: () => 24 * HOUR });

  it('makes a row that waits for the first tick from now on', () => {
    expect(declared('digest', hourly('one'), undefined, { now, settle })).toMatchObject({
      agent: 'digest',
      cron: '0 * * * *',
      nextAt: 2 * HOUR,
      lastTick: null,
    });
    expect(declared('digest', undefined, undefined, { now, settle })).toBeUndefined();
  });

  it('that the row says already changes nothing, whatever else the schedule says', () => {
    expect(declared('digest', hourly('all'), row(), { now, settle })).toBeUndefined();
  });

  it('takes another rule over, and keeps what was made by the old one', () => {
    const before = row({ lastTick: HOUR, lastTask: 'task', missed: 3 });
    expect(declared('digest', daily, before, { now, settle })).toMatchObject({
      cron: '0 0 * * *',
      nextAt: 24 * HOUR,
      lastTick: HOUR,
      lastTask: 'task',
      missed: 3,
    });
  });

  it('stays paused, whatever its rule', () => {
    const paused = row({ pausedAt: HOUR, nextAt: null });
    expect(declared('digest', daily, paused, { now, settle })).toMatchObject({
      nextAt: null,
      pausedAt: HOUR,
    });
  });

  it('retires a schedule that is gone, and takes it up again from now on', () => {
    const retired = declared('digest', undefined, row(), { now, settle });
    expect(retired).toMatchObject({ rule: '', nextAt: null, cron: '0 * * * *' });
    const back = { now: now + settle, settle };
    expect(declared('digest', hourly('one'), retired, back)).toMatchObject({ nextAt: 2 * HOUR });
  });

  it.each([
    ['an old rule', hourly('one'), daily],
    ['no schedule', undefined, daily],
    ['a schedule that is gone', hourly('one'), undefined],
  ])('is not taken back by an instance of the release before: %s', (_, old, young) => {
    const before = old && declared('digest', old, undefined, { now: 0, settle });
    const after = declared('digest', young, before, { now, settle });
    expect(after).toBeDefined();
    expect(declared('digest', old, after, { now: now + settle - 1, settle })).toBeUndefined();
    expect(declared('digest', young, after, { now: now + 1, settle })).toBeUndefined();
    // A rollback is in force after that.
    expect(declared('digest', old, after, { now: now + settle, settle })).toBeDefined();
  });

  it('is in force at once where one process reads and writes everything', () => {
    const after = declared('digest', daily, row(), { now, settle: 0 });
    expect(after?.replaced).toEqual([]);
    expect(declared('digest', hourly('one'), after, { now, settle: 0 })).toMatchObject({
      cron: '0 * * * *',
    });
  });
});
