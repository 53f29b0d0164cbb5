import { describe, expect, it } from 'vitest';
import {
  dependency,
  depending,
  ended,
  queued,
  running,
  token,
  waiting,
} from '../../test/doubles/runs.ts';
import type { Blocked, Pin } from './blocked.ts';
import type { Run } from './run.ts';
import { defaults } from './settings.ts';
import {
  beginEffect,
  beginSend,
  blockPoll,
  dueAtOnce,
  endSend,
  isAtRest,
  letGoOn,
  pollAgain,
  step,
  suspend,
} from './waiting.ts';

const mine = token('mine');
const change = { kind: 'tool', name: 'pay', facets: ['effect'], now: 'n' } as const;
const blocked: Blocked = { since: 1_500, changes: [change], digest: 'd-1' };
const pins: readonly Pin[] = ['one', 'two'].map((callId) => ({
  callId,
  kind: 'tool',
  name: 'pay',
  facets: { effect: 'once' },
}));

describe('a blocked run that an operator lets go on', () => {
  it('begins at once, and its deadline came no nearer while it was held', () => {
    const run = queued({ blocked, notBefore: 5_000, deadlineAt: 100_000 });
    const next = letGoOn(run, 'd-1', 9_000);
    expect(next).toEqual({
      ...run,
      blocked: { ...blocked, accepted: true },
      notBefore: 9_000,
      deadlineAt: 104_000,
    });
    expect(letGoOn(run, 'd-1', 4_000)?.deadlineAt).toBe(100_000);
  });

  it('looks at its remote agent at once', () => {
    expect(letGoOn(depending({ blocked }), 'd-1', 9_000)?.dependency).toEqual({
      ...dependency,
      nextPollAt: 9_000,
    });
  });

  it.each<[string, Run, string]>([
    ['by other changes', queued({ blocked }), 'd-2'],
    ['by nothing', queued(), 'd-1'],
    ['by what was accepted already', queued({ blocked: { ...blocked, accepted: true } }), 'd-1'],
    [
      'by steps that changed, with others',
      queued({ blocked: { ...blocked, changes: [change, { ...change, kind: 'step' }] } }),
      'd-1',
    ],
    ['and is looking again just now', running({ blocked }), 'd-1'],
  ])('is left as it is where it is blocked %s', (_, run, digest) => {
    expect(letGoOn(run, digest, 9_000)).toBeUndefined();
  });

  it('loses no time to a poll that it can not make', () => {
    const run = depending({ deadlineAt: 90_000 });
    const next = blockPoll(run, 1, blocked, defaults, 2_000);
    const pause = (next?.dependency.nextPollAt ?? 0) - 2_000;
    expect(pause).toBeGreaterThan(0);
    expect(next).toEqual({
      ...run,
      blocked,
      deadlineAt: 90_000 + pause,
      dependency: {
        ...dependency,
        nextPollAt: 2_000 + pause,
        deadlineAt: dependency.deadlineAt + pause,
      },
    });
    expect(blockPoll(run, 2, blocked, defaults, 2_000)).toBeUndefined();
    const late = blockPoll(run, 1, blocked, defaults, 600_000);
    expect(late?.deadlineAt).toBeGreaterThan(600_000);
    expect(late?.dependency.deadlineAt).toBeGreaterThan(600_000);
  });
});

describe('a remote agent that may be called again', () => {
  const rests = queued({ circuit: 'remote', notBefore: 50_000 });

  it('has the runs at once that would call it', () => {
    expect(dueAtOnce(rests, 'remote', 9_000)).toEqual({ ...rests, notBefore: 9_000 });
    expect(dueAtOnce(depending(), 'remote', 9_000)).toEqual(
      depending({ dependency: { ...dependency, nextPollAt: 9_000 } }),
    );
  });

  it.each<[string, Run]>([
    ['waits in the queue for another', { ...rests, circuit: 'other' }],
    ['waits in the queue for none', queued({ notBefore: 50_000 })],
    ['is due already', { ...rests, notBefore: 9_000 }],
    ['waits for another', depending({ dependency: { ...dependency, remote: 'other' } })],
    ['is to be polled now', depending({ dependency: { ...dependency, nextPollAt: 9_000 } })],
    ['is at work', running({})],
  ])('changes nothing of a run that %s', (_, run) => {
    expect(dueAtOnce(run, 'remote', 9_000)).toBeUndefined();
  });

  it('is polled again as is said, once for the wait that it is', () => {
    const run = depending({ blocked });
    expect(pollAgain(run, 1, { polls: 3 })).toEqual(
      depending({ dependency: { ...dependency, polls: 3 } }),
    );
    expect(pollAgain(run, 2, { polls: 3 })).toBeUndefined();
  });
});

it.each<[boolean, string, Run]>([
  [true, 'sleeps', queued({ asleep: true })],
  [true, 'is blocked', queued({ blocked })],
  [false, 'is blocked no longer', queued({ blocked: { ...blocked, accepted: true } })],
  [false, 'waits its turn', queued()],
  [true, 'waits for a person', waiting()],
  [true, 'waits for a remote agent', depending()],
  [false, 'works', running()],
  [false, 'has ended', ended('completed')],
])('it is %s that a run is at rest which %s', (rests, _, run) => {
  expect(isAtRest(run)).toBe(rests);
});

describe('what a run notes while it works', () => {
  const run = running({ pins, steps: 4 });

  it('is the call that must not run twice, until its step', () => {
    const begun = beginEffect(run, mine, 70_000, 'one');
    expect(begun).toEqual({ ...run, claim: { token: mine, until: 70_000 }, effect: 'one' });
    expect(begun && beginEffect(begun, mine, 71_000, 'one')?.claim.until).toBe(71_000);
    expect(begun && beginEffect(begun, mine, 71_000, 'two')).toBeUndefined();
    expect(begun && step(begun, mine, 72_000, { number: 5 }, 3_000)).not.toHaveProperty('effect');
  });

  it('is what open calls depend on, until each has its result', () => {
    const after = (done: readonly string[] | 'all') =>
      step(run, mine, 72_000, { number: 5, done }, 3_000)?.pins;
    expect(after(['one'])).toEqual(pins.slice(1));
    expect(after([])).toEqual(pins);
    expect(after(['one', 'two'])).toBeUndefined();
    expect(after('all')).toBeUndefined();
  });

  it('counts its steps, and shows a caller only those that publish', () => {
    const next = (more: object) => step(run, mine, 72_000, { number: 5, ...more }, 3_000);
    expect(next({})).toMatchObject({ steps: 5, revision: 1 });
    expect(next({ count: 3 })).toMatchObject({ steps: 7 });
    expect(next({ publishes: true })).toMatchObject({ steps: 5, revision: 2 });
  });

  it('is the message that is on its way, and what it takes of the budget once', () => {
    const sending = { remote: 'peer', sendId: 'send-1' };
    const sent = beginSend(run, mine, 70_000, sending, 300);
    expect(sent).toMatchObject({ sending, spent: { delegations: 1, bytes: 300 } });
    expect(sent && endSend(sent, mine, 72_000)).toEqual({
      ...run,
      spent: sent?.spent,
      claim: { token: mine, until: 72_000 },
    });
    const waits = sent && suspend(sent, mine, dependency, 3_000, pins);
    expect(waits).toMatchObject({ pins, pauseGeneration: 1, status: 'waiting_for_dependency' });
    expect(waits).not.toHaveProperty('sending');
    expect(suspend(run, mine, dependency, 3_000)).not.toHaveProperty('pins');
  });
});
