import { describe, expect, it } from 'vitest';
import { depending, ended, queued, running, token, waiting } from '../../test/doubles/runs.ts';
import { signalled, sleepUntil } from './sleeping.ts';

const mine = token('mine');
const awaited = { names: ['paid', 'shipped'], seen: 1 };

describe('a run that sleeps (G10)', () => {
  it.each([
    ['for a time', undefined, 0, { notBefore: 9_000, deadlineAt: 1_007_000 }],
    ['for an event', awaited, 1, { notBefore: 9_000, awaits: awaited.names }],
    ['for one that came meanwhile', awaited, 2, { notBefore: 2_000, deadlineAt: 1_000_000 }],
  ])('%s is queued, without a claim, and loses none of its time', (_what, wait, signals, then) => {
    const run = running({ signals, attempts: 2 });
    const asleep = sleepUntil(run, mine, { until: 9_000, awaited: wait }, 2_000);
    expect(asleep).toMatchObject({ status: 'queued', asleep: true, attempts: 2, ...then });
    expect(asleep?.awaits).toEqual('awaits' in then ? then.awaits : undefined);
    expect(asleep).not.toHaveProperty('claim');
  });

  it('that was to wake in the past gains no time', () => {
    const asleep = sleepUntil(running(), mine, { until: 1_000 }, 2_000);
    expect(asleep).toMatchObject({ notBefore: 1_000, deadlineAt: 1_000_000 });
  });

  it('knows of no event before its first', () => {
    const none = { names: ['paid'], seen: 0 };
    const asleep = sleepUntil(running(), mine, { until: 9_000, awaited: none }, 2_000);
    expect(asleep?.awaits).toEqual(['paid']);
  });

  it.each([
    ['another token', running(), token('theirs')],
    ['a tool that must not run twice under way', running({ effect: 'call' }), mine],
    ['no claim at all', queued(), mine],
  ])('is not put to sleep with %s', (_what, run, by) => {
    expect(sleepUntil(run, by, { until: 9_000 }, 2_000)).toBeUndefined();
  });
});

describe('an event', () => {
  const asleep = queued({
    asleep: true,
    awaits: ['paid'],
    notBefore: 9_000,
    deadlineAt: 20_000,
    signals: 3,
  });

  it('wakes the run that waits for it, and takes back the time that it did not sleep', () => {
    const woken = signalled(asleep, 'paid', 4_000);
    expect(woken).toMatchObject({ notBefore: 4_000, deadlineAt: 15_000, signals: 4 });
  });

  it.each([
    ['of another name', asleep, 'shipped', 4_000],
    ['that comes when it is due', asleep, 'paid', 9_000],
    ['that comes later', asleep, 'paid', 12_000],
    ['while it waits for none', queued({ notBefore: 9_000 }), 'paid', 4_000],
    ['while it works', running(), 'paid', 4_000],
    ['while it waits for a person', waiting(), 'paid', 4_000],
    ['while it waits for a remote', depending(), 'paid', 4_000],
  ])('%s is counted, and changes no time', (_what, run, name, now) => {
    expect(signalled(run, name, now)).toEqual({ ...run, signals: (run.signals ?? 0) + 1 });
  });

  it('reaches no run that has ended', () => {
    expect(signalled(ended('completed'), 'paid', 4_000)).toBeUndefined();
  });
});
