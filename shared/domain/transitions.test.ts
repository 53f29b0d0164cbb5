import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRun, ended, failed, queued, running, token, waiting } from '../../test/doubles/runs.ts';
import { isEnded, type Run, stateOf } from './run.ts';
import { defaults } from './settings.ts';
import {
  cancel,
  claim,
  complete,
  fail,
  lapsed,
  late,
  progress,
  projected,
  reject,
  renew,
  requeue,
} from './transitions.ts';
import { answer, pause } from './waiting.ts';

const mine = token('mine');
const theirs = token('theirs');
const granted = { token: mine, until: 70_000 };
const delivery = { due: 1_000, dispatched: 1_000 };
const question = { status: 'waiting_for_input', expectsData: true } as const;

/** Every transition, with arguments under which it would go through if the status allowed it. */
const all: Readonly<Record<string, (run: Run, now: number) => Run | undefined>> = {
  claim: (run, now) => claim(run, granted, delivery, now),
  renew: (run, now) => renew(run, mine, now + 1),
  progress: (run, now) => progress(run, mine, now + 1, now),
  complete: (run, now) => complete(run, mine, now),
  reject: (run, now) => reject(run, mine, now),
  pause: (run, now) => pause(run, mine, question, now),
  answer,
  cancel,
  fail: (run, now) => fail(run, 'AGENT_FAILED', now),
  requeue: (run, now) => (run.status === 'running' ? requeue(run, defaults, now) : undefined),
};

describe('who may change a run (G12)', () => {
  it.each([
    ['renews', (run: Run) => renew(run, theirs, 9_000)],
    ['shows progress on', (run: Run) => progress(run, theirs, 9_000, 2_000)],
    ['completes', (run: Run) => complete(run, theirs, 2_000)],
    ['rejects', (run: Run) => reject(run, theirs, 2_000)],
    ['pauses', (run: Run) => pause(run, theirs, question, 2_000)],
  ])('an old token changes nothing (%s)', (_verb, attempt) => {
    expect(attempt(running())).toBeUndefined();
  });

  it('each claim raises the fence and replaces the token', () => {
    const first = claim(queued(), { token: theirs, until: 2_000 }, delivery, 1_000);
    const again = first && requeue(first, defaults, 3_000, 0);
    const second = again && claim(again, granted, delivery, 3_000);
    expect(first?.fence).toBe(1);
    expect(second?.fence).toBe(2);
    expect(second?.claim.token).toBe(mine);
  });

  it('a run is not claimed before its time, nor after its deadline', () => {
    expect(claim(queued({ notBefore: 5_000 }), granted, delivery, 4_999)).toBeUndefined();
    expect(claim(queued({ deadlineAt: 5_000 }), granted, delivery, 5_000)).toBeUndefined();
  });
});

describe('states', () => {
  it('terminal is terminal: no transition leaves it', () => {
    for (const run of [ended('completed'), ended('cancelled'), ended('rejected'), failed()]) {
      for (const [name, transition] of Object.entries(all)) {
        expect(transition(run, 2_000), `${name} from ${run.status}`).toBeUndefined();
      }
    }
  });

  it('a status of a newer version is open and never changed', () => {
    const unknown = {
      ...ended('completed'),
      status: 'unknown',
      stored: 'waiting_for_the_moon',
    } as const;
    expect(stateOf(unknown)).toBe('WORKING');
    for (const transition of Object.values(all)) expect(transition(unknown, 2_000)).toBeUndefined();
  });

  it('a change of the public state always raises the revision, and a kept revision never changes the public state', () => {
    fc.assert(
      fc.property(
        anyRun,
        fc.integer({ min: 0, max: 300_000 }),
        fc.constantFrom(...Object.keys(all)),
        (run, now, name) => {
          const next = all[name]?.(run, now);
          if (next === undefined) return;
          const step = next.revision - run.revision;
          expect(step === 0 || step === 1).toBe(true);
          if (stateOf(next) !== stateOf(run)) expect(step).toBe(1);
          expect(next.statusAt).toBeGreaterThanOrEqual(run.statusAt);
          expect(next.fence).toBeGreaterThanOrEqual(run.fence);
        },
      ),
    );
  });

  it('only a claim makes a run running, and only a running run has a claim', () => {
    fc.assert(
      fc.property(
        anyRun,
        fc.integer({ min: 0, max: 300_000 }),
        fc.constantFrom(...Object.keys(all)),
        (run, now, name) => {
          const next = all[name]?.(run, now);
          if (next?.status === 'running' && run.status !== 'running') expect(name).toBe('claim');
          if (next !== undefined) expect('claim' in next).toBe(next.status === 'running');
        },
      ),
    );
  });

  it('only the first claim is news: a run that was queued again stays WORKING', () => {
    const again = requeue(running({ revision: running().revision }), defaults, 2_000, 0);
    const claimed = again && claim(again, granted, delivery, 2_000);
    expect(again && stateOf(again)).toBe('WORKING');
    expect(claimed?.revision).toBe(again?.revision);
  });
});

describe('waiting and time', () => {
  it('the time that a person takes does not count against the deadline', () => {
    const resumed = answer(waiting({ pausedAt: 2_000, deadlineAt: 10_000 }), 500_000);
    expect(resumed?.deadlineAt).toBe(508_000);
    expect(late(waiting({ deadlineAt: 10_000 }), 500_000)).toBe(false);
  });

  it('each pause has its own generation, and the answer says where it lies', () => {
    const paused = pause(running(), mine, question, 2_000);
    const resumed = paused && answer(paused, 3_000);
    expect(paused?.pauseGeneration).toBe(1);
    expect(resumed?.inputRevision).toBe(resumed?.revision);
  });

  it('back-off doubles up to its maximum and the attempts run out', () => {
    const waits = [0, 1, 2].map((attempts) => {
      const next = requeue(running({ attempts }), defaults, 0);
      return next?.notBefore;
    });
    expect(waits).toEqual([30_000, 60_000, 120_000]);
    expect(requeue(running({ attempts: 3 }), defaults, 0)).toBeUndefined();
    expect(requeue(running({ attempts: 2 }), { ...defaults, backoff: 400_000 }, 0)?.notBefore).toBe(
      defaults.backoffMax,
    );
  });

  it('a lease has lapsed exactly when its time is reached, and only a running run has one', () => {
    expect(lapsed(running(), 60_999)).toBe(false);
    expect(lapsed(running(), 61_000)).toBe(true);
    expect(lapsed(waiting(), 999_999)).toBe(false);
  });

  it('time of a task never runs backwards, whatever a clock says', () => {
    expect(complete(running({ statusAt: 5_000 }), mine, 1)?.statusAt).toBe(5_000);
  });

  it('the note of a projection never leads the revision and never goes back', () => {
    fc.assert(
      fc.property(anyRun, fc.integer({ min: 0, max: 100 }), (run, upTo) => {
        const next = projected(run, upTo);
        expect(next.projectedRevision).toBeGreaterThanOrEqual(run.projectedRevision);
        expect(next.projectedRevision).toBeLessThanOrEqual(run.revision);
        expect(isEnded(next)).toBe(isEnded(run));
      }),
    );
  });
});
