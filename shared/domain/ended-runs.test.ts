import { describe, expect, it } from 'vitest';
import { ended, failed, running } from '../../test/doubles/runs.ts';
import { NOTHING_RECENT, type Recent, together, withEnded } from './ended-runs.ts';
import { countOf, counted } from './histogram.ts';
import { fence } from './ids.ts';
import type { Run } from './run.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (endedAt: number, run: Run = ended('completed')): Run => ({
  ...run,
  createdAt: 0,
  endedAt,
});
const recent = (...runs: readonly Run[]): Recent => runs.reduce(withEnded, NOTHING_RECENT);

describe('the runs that ended', () => {
  it('are counted in the minute and the hour of their end, whatever order they come in', () => {
    const times = [3 * HOUR, HOUR + 1, 3 * HOUR + MINUTE, HOUR, 2 * HOUR + 5, HOUR + MINUTE];
    const { hours, minutes } = recent(...times.map((time) => at(time)));
    const seen = (all: Recent['hours']) =>
      all.map((each) => [each.at, each.outcomes.completed] as const);
    expect(seen(hours)).toEqual([
      [HOUR, 3],
      [2 * HOUR, 1],
      [3 * HOUR, 2],
    ]);
    expect(seen(minutes)).toEqual([
      [HOUR, 2],
      [HOUR + MINUTE, 1],
      [2 * HOUR, 1],
      [3 * HOUR, 1],
      [3 * HOUR + MINUTE, 1],
    ]);
  });

  it('leave the window oldest first: 90 minutes and 170 hours are kept', () => {
    const { hours, minutes } = recent(...Array.from({ length: 200 }, (_, hour) => at(hour * HOUR)));
    expect([minutes.length, minutes[0]?.at]).toEqual([90, 110 * HOUR]);
    expect([hours.length, hours[0]?.at]).toEqual([170, 30 * HOUR]);
  });

  it('say how they ended, why they failed, and how long the completed ones took', () => {
    const segments = [
      { fence: fence(1), enqueued: 10, dispatched: 10, claimed: 40 },
      { fence: fence(2), enqueued: 50, dispatched: 50, claimed: 55 },
    ];
    const [hour] = recent(
      at(100, { ...ended('completed'), segments }),
      at(200, failed()),
      at(300, { ...failed(), reason: 'DEADLINE_EXCEEDED' }),
      at(400, ended('cancelled')),
      at(500, running()),
    ).hours;
    expect(hour).toEqual({
      at: 0,
      outcomes: { completed: 1, failed: 2, cancelled: 1 },
      reasons: { AGENT_FAILED: 1, DEADLINE_EXCEEDED: 1 },
      took: counted({}, 100),
      waited: counted({}, 30),
    });
  });

  it('of rows from before the end was kept ended at their newest revision, and never before they began', () => {
    const [minute] = recent({ ...ended('completed'), createdAt: 9_000, statusAt: 5_000 }).minutes;
    expect(minute).toMatchObject({ at: 0, took: counted({}, 0) });
  });

  it('of two stretches are together all of both', () => {
    const one = { ...recent(at(1), at(2, failed())).hours[0], at: 0 };
    const both = together(
      { outcomes: {}, reasons: {}, took: {}, waited: {}, ...one },
      { outcomes: {}, reasons: {}, took: {}, waited: counted({}, 7), ...one },
    );
    expect(both.outcomes).toEqual({ completed: 2, failed: 2 });
    expect(both.reasons).toEqual({ AGENT_FAILED: 2 });
    expect(countOf(both.took)).toBe(2);
  });
});
