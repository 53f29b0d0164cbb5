import { describe, expect, it } from 'vitest';
import { defineAgent } from './define-agent.ts';
import { scheduleOf, type ScheduleDeclaration } from './schedule-declaration.ts';

const ticks = (cron: string, timezone: string, from: string, count: number): string[] => {
  const { next } = scheduleOf('digest', { cron, timezone });
  const found: string[] = [];
  for (let at = next(Date.parse(from)); found.length < count; at = next(at ?? 0))
    found.push(new Date(at ?? 0).toISOString().slice(0, 16));
  return found;
};

describe('a rule, where the clocks change', () => {
  it.each([
    // A local time that does not exist: right after the gap, once.
    ['Europe/Berlin', '30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    [
      'America/New_York',
      '30 2 * * *',
      '2026-03-07T12:00Z',
      ['2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    // Lord Howe moves its clocks by half an hour.
    [
      'Australia/Lord_Howe',
      '15 2 * * *',
      '2026-10-03T00:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    // One that comes twice: the first time.
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'America/New_York',
      '30 1 * * *',
      '2026-10-31T12:00Z',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'Australia/Lord_Howe',
      '45 1 * * *',
      '2026-04-04T00:00Z',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    // So does a list of times.
    [
      'Europe/Berlin',
      '0,30 2 * * *',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00'],
    ],
    // What goes by the time that passes is not held up, and repeats nothing.
    [
      'Europe/Berlin',
      '*/30 * * * *',
      '2026-03-29T00:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    [
      'Europe/Berlin',
      '30 * * * *',
      '2026-10-24T23:00Z',
      ['2026-10-24T23:30', '2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T02:30'],
    ],
    [
      'Australia/Lord_Howe',
      '*/15 * * * *',
      '2026-04-04T14:30Z',
      ['2026-04-04T14:45', '2026-04-04T15:00', '2026-04-04T15:15'],
    ],
  ])('%s: %s after %s', (timezone, cron, from, expected) => {
    expect(ticks(cron, timezone, from, expected.length)).toEqual(expected);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'a daily time comes on each day of a year exactly once, in %s',
    (timezone) => {
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
      for (const cron of ['30 2 * * *', '15 1 * * *', '0 0 * * *']) {
        const days = ticks(cron, timezone, '2026-01-01T12:00Z', 365).map((at) =>
          format.format(new Date(`${at}Z`)),
        );
        expect(new Set(days).size).toBe(365);
      }
    },
  );
});

describe('a rule, by the calendar', () => {
  it.each([
    ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 0 L * *', ['2026-01-31T00:00', '2026-02-28T00:00', '2026-03-31T00:00']],
    ['0 0 31 * *', ['2026-01-31T00:00', '2026-03-31T00:00', '2026-05-31T00:00']],
    ['0 9 * * MON-FRI', ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-05T09:00']],
    ['0 9 * * 7', ['2026-01-04T09:00', '2026-01-11T09:00']],
    ['0 0 13 * 5', ['2026-01-02T00:00', '2026-01-09T00:00', '2026-01-13T00:00']],
    ['@daily', ['2026-01-02T00:00', '2026-01-03T00:00']],
  ])('%s', (cron, expected) => {
    expect(ticks(cron, 'UTC', '2026-01-01T00:00Z', expected.length)).toEqual(expected);
  });
});

describe('a schedule as it is declared', () => {
  const declare = (schedule: unknown) => () =>
    defineAgent({
      name: 'digest',
      description: 'Sums up.',
      run: () => 'done',
      schedule: schedule as ScheduleDeclaration,
    });

  it('is a rule alone, in UTC, or says more', () => {
    expect(declare('0 9 * * *')().schedule).toMatchObject({
      cron: '0 9 * * *',
      timezone: 'UTC',
      missed: 'one',
      overlap: 'allow',
      owner: 'schedule:digest',
      parts: [],
    });
    const more = { cron: '0 9 * * *', message: [{ data: { of: 'today' } }], owner: 'ada' };
    expect(declare(more)().schedule).toMatchObject({
      owner: 'ada',
      parts: [{ data: { of: 'today' } }],
    });
  });

  const rule = '0 9 * * *';
  it.each([
    [7, 'schedule must be a cron rule'],
    [
      '61 * * * *',
      'schedule.cron "61 * * * *" is no rule of five fields: Invalid value for minute',
    ],
    ['* * * * * *', 'schedule.cron "* * * * * *" is no rule of five fields'],
    ['', 'schedule.cron "" is no rule of five fields'],
    ['every day', 'schedule.cron "every day" is no rule of five fields'],
    ['0 0 31 2 *', 'schedule.cron "0 0 31 2 *" never comes'],
    [{ timezone: 'UTC' }, 'schedule.cron must be a text'],
    [{ cron: rule, timezone: 'Mars/Olympus' }, 'schedule.timezone "Mars/Olympus" is no time zone'],
    [{ cron: rule, timezone: '' }, 'schedule.timezone "" is no time zone'],
    [{ cron: rule, missed: 'some' }, 'schedule.missed must be one of skip, one, all'],
    [{ cron: rule, overlap: 'queue' }, 'schedule.overlap must be one of allow, skip'],
    [{ cron: rule, owner: 7 }, 'schedule.owner must be a text'],
    [{ cron: rule, message: 7 }, 'schedule.message must be a string or an array of parts'],
    [{ cron: rule, zone: 'UTC' }, 'schedule.zone is not known'],
  ])('%j is refused, and the message names the field', (schedule, words) => {
    expect(declare(schedule)).toThrow(words);
    expect(declare(schedule)).toThrow(TypeError);
  });
});
