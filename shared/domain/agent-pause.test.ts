import { describe, expect, it } from 'vitest';
import { queued, running } from '../../test/doubles/runs.ts';
import { type AgentPause, isPaused, notCounting, pausedFrom, resumedAt } from './agent-pause.ts';

const span = (since: number, until: number | null): AgentPause => ({ since, until });

describe('a pause of an agent', () => {
  it('goes on until it is ended, and is begun once', () => {
    const paused = pausedFrom([], 100);
    expect(isPaused(paused)).toBe(true);
    expect(pausedFrom(paused, 200)).toBe(paused);
    expect(resumedAt(paused, 300)).toEqual([span(100, 300)]);
    expect(isPaused(resumedAt(paused, 300))).toBe(false);
  });

  it('does not end before it began, whatever the clock of the machine that ends it says', () => {
    expect(resumedAt([span(100, null)], 50)).toEqual([span(100, 100)]);
  });

  it('is forgotten when ten newer ones are known', () => {
    let pauses: readonly AgentPause[] = [];
    for (let at = 0; at < 24; at += 2) pauses = resumedAt(pausedFrom(pauses, at), at + 1);
    expect(pauses).toHaveLength(10);
    expect(pauses[0]).toEqual(span(4, 5));
  });
});

describe('the deadline of a queued run', () => {
  const run = queued({ notBefore: 1_000, deadlineAt: 10_000 });

  it.each<[readonly AgentPause[], number, string]>([
    [[], 10_000, 'without a pause it stays'],
    [[span(0, 500)], 10_000, 'a pause that was over before it was due is nothing'],
    [[span(500, 3_000)], 12_000, 'what lies before it was due is not counted'],
    [[span(2_000, 3_000)], 11_000, 'a pause that is over'],
    [[span(2_000, null)], 13_000, 'a pause that goes on, until now'],
    [[span(2_000, 3_000), span(4_000, null)], 12_000, 'two'],
    [[span(6_000, null)], 10_000, 'one that is to come by another clock'],
  ])('%j makes it %i: %s', (pauses, deadlineAt) => {
    expect(notCounting(run, pauses, 5_000).deadlineAt).toBe(deadlineAt);
  });

  it('of a run that works, and of one that is blocked, is not touched', () => {
    const pauses = [span(0, null)];
    const works = running({ deadlineAt: 10_000 });
    expect(notCounting(works, pauses, 5_000)).toBe(works);
    const blocked = { ...run, blocked: { since: 0, changes: [], digest: 'd' } };
    expect(notCounting(blocked, pauses, 5_000)).toBe(blocked);
  });
});
