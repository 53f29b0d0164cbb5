import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyRun,
  depending,
  dependency,
  ended,
  failed,
  queued,
  running,
  token,
  waiting,
} from '../../test/doubles/runs.ts';
import { NOTHING_SPENT } from './budget.ts';
import { withOrphan } from './dependency.ts';
import { obligations } from './obligations.ts';
import { type Run, stateOf } from './run.ts';
import { defaults } from './settings.ts';
import { cancel, complete, fail, handBack, late, requeue, exhaustedReason } from './transitions.ts';
import {
  answer,
  beginEffect,
  beginSend,
  endSend,
  decide,
  decideDirectly,
  pollAgain,
  pause,
  resolve,
  step,
  suspend,
} from './waiting.ts';

const mine = token('mine');
const theirs = token('theirs');
const sending = { remote: 'peer', sendId: 'send-1' };
const granted = { token: mine, until: 70_000 };
const delivery = { due: 1_000, dispatched: 1_000 };
const question = { status: 'waiting_for_input', expectsData: false } as const;
const approval = { status: 'waiting_for_approval', expectsData: false, digest: 'd' } as const;

/**
 * Every transition of a run that waits, with arguments under which it would go through if the row
 * allowed it.
 */
const all: Readonly<Record<string, (run: Run, now: number) => Run | undefined>> = {
  pause: (run, now) => pause(run, mine, approval, now),
  answer,
  decide: (run, now) => decide(run, run.pauseGeneration, now),
  decideDirectly: (run, now) => decideDirectly(run, run.pauseGeneration, granted, delivery, now),
  step: (run, now) => step(run, mine, now + 1, { number: run.steps + 1, publishes: true }, now),
  beginEffect: (run, now) => beginEffect(run, mine, now + 1, 'call'),
  beginSend: (run, now) => beginSend(run, mine, now + 1, sending, 10),
  endSend: (run, now) => endSend(run, mine, now + 1),
  suspend: (run, now) => suspend(run, mine, dependency, now),
  resolve: (run, now) => resolve(run, run.pauseGeneration, 10, now),
  lookAgain: (run) => pollAgain(run, run.pauseGeneration, { polls: 1 }),
};

const moment = fc.integer({ min: 0, max: 300_000 });
const anyTransition = fc.constantFrom(...Object.entries(all));

describe('a run that waits (G10)', () => {
  it('holds no claim, whatever it waits for, and only a claim makes it running again', () => {
    fc.assert(
      fc.property(anyRun, moment, anyTransition, (run, now, [name, transition]) => {
        const next = transition(run, now);
        if (next === undefined) return;
        expect('claim' in next).toBe(next.status === 'running');
        if (next.status === 'running' && run.status !== 'running')
          expect(name).toBe('decideDirectly');
        if (next.status.startsWith('waiting')) expect('claim' in next).toBe(false);
      }),
    );
  });

  it('for a remote agent is WORKING to everybody outside, and no person is asked', () => {
    const suspended = suspend(running(), mine, dependency, 2_000);
    expect(suspended && stateOf(suspended)).toBe('WORKING');
    expect(suspended?.revision).toBe(running().revision);
    const run = depending();
    expect(decide(run, run.pauseGeneration, 3_000)).toBeUndefined();
    expect(answer(run, 3_000)).toBeUndefined();
    expect(decideDirectly(run, run.pauseGeneration, granted, delivery, 3_000)).toBeUndefined();
  });

  it('for a remote agent is looked at, has a deadline, and is late like any work', () => {
    const kinds = obligations(depending()).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['poll', 'dependency-deadline', 'deadline']));
    expect(late(depending({ deadlineAt: 5_000 }), 5_000)).toBe(true);
    expect(late(waiting({ deadlineAt: 5_000 }), 5_000)).toBe(false);
  });
});

describe('public state and revision', () => {
  it('change together: what a caller may see raises the revision, bookkeeping does not', () => {
    fc.assert(
      fc.property(anyRun, moment, anyTransition, (run, now, [, transition]) => {
        const next = transition(run, now);
        if (next === undefined) return;
        const raised = next.revision - run.revision;
        expect(raised === 0 || raised === 1).toBe(true);
        if (stateOf(next) !== stateOf(run)) expect(raised).toBe(1);
        expect(next.statusAt).toBeGreaterThanOrEqual(run.statusAt);
        expect(next.fence).toBeGreaterThanOrEqual(run.fence);
        expect(next.pauseGeneration - run.pauseGeneration).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('terminal is terminal, and a status of a newer version is left alone', () => {
    const unknown = { ...failed(), status: 'unknown', stored: 'waiting_for_the_moon' } as const;
    for (const run of [ended('completed'), ended('cancelled'), failed(), unknown])
      for (const [name, transition] of Object.entries(all))
        expect(transition(run, 2_000), `${name} from ${run.status}`).toBeUndefined();
  });
});

describe('who may write (G12)', () => {
  it.each([
    ['pauses', (run: Run) => pause(run, theirs, question, 2_000)],
    ['makes a step of', (run: Run) => step(run, theirs, 9_000, { number: 1 }, 2_000)],
    ['begins an effect of', (run: Run) => beginEffect(run, theirs, 9_000, 'call')],
    ['begins a send of', (run: Run) => beginSend(run, theirs, 9_000, sending, 1)],
    ['ends a send of', (run: Run) => endSend(run, theirs, 9_000)],
    ['suspends', (run: Run) => suspend(run, theirs, dependency, 2_000)],
  ])('a worker with an old token never %s a run', (_verb, attempt) => {
    expect(attempt(running())).toBeUndefined();
  });
});

describe('a suspension resolves once (G11)', () => {
  it('the second answer finds the run elsewhere', () => {
    const first = resolve(depending(), 1, 100, 3_000);
    expect(first).toMatchObject({ status: 'queued', steps: 1, continuation: { generation: 1 } });
    expect(first && resolve(first, 1, 100, 3_000)).toBeUndefined();
  });

  it('an answer to an earlier suspension is no answer to this one', () => {
    expect(resolve(depending({ pauseGeneration: 2 }), 1, 0, 3_000)).toBeUndefined();
    expect(pollAgain(depending({ pauseGeneration: 2 }), 1, { polls: 9 })).toBeUndefined();
  });
});

describe('exactly one decision wins a pause (G18)', () => {
  it('stored, direct, answered or cancelled: the second finds the pause over', () => {
    const run = waiting();
    const winners = [
      decide(run, 1, 3_000),
      decideDirectly(run, 1, granted, delivery, 3_000),
      answer(run, 3_000),
      cancel(run, 3_000),
    ];
    for (const won of winners) {
      if (won === undefined) throw new Error('the first one wins');
      expect(decide(won, 1, 4_000)).toBeUndefined();
      expect(decideDirectly(won, 1, granted, delivery, 4_000)).toBeUndefined();
      expect(answer(won, 4_000)).toBeUndefined();
    }
  });

  it('a decision for another generation is none', () => {
    expect(decide(waiting({ pauseGeneration: 2 }), 1, 3_000)).toBeUndefined();
  });

  it('a plain message approves nothing', () => {
    expect(answer(waiting({ status: 'waiting_for_approval' }), 3_000)).toBeUndefined();
  });

  it('the time that a person takes counts against no deadline, whichever way the decision goes', () => {
    const run = waiting({ pausedAt: 2_000, deadlineAt: 10_000 });
    expect(decide(run, 1, 500_000)?.deadlineAt).toBe(508_000);
    expect(decideDirectly(run, 1, granted, delivery, 500_000)?.deadlineAt).toBe(508_000);
  });

  it('a direct decision claims the run: the fence rises, and its segment has its times', () => {
    const claimed = decideDirectly(waiting(), 1, granted, delivery, 3_000);
    expect(claimed).toMatchObject({ fence: 2, claim: granted, continuation: { kind: 'decision' } });
    expect(claimed?.segments).toEqual([
      { fence: 2, enqueued: 1_000, dispatched: 1_000, claimed: 3_000 },
    ]);
  });
});

describe('a tool that must not run twice', () => {
  const begun = beginEffect(running(), mine, 9_000, 'call');

  it('is not begun while another one stands', () => {
    expect(begun?.effect).toBe('call');
    expect(begun && beginEffect(begun, mine, 9_000, 'other')).toBeUndefined();
  });

  it('puts no run back into the queue while it may have run', () => {
    if (begun === undefined) throw new Error('not begun');
    expect(requeue(begun, defaults, 5_000)).toBeUndefined();
    expect(handBack(begun, mine, 5_000, true)).toBeUndefined();
    expect(exhaustedReason(begun)).toBe('EFFECT_UNKNOWN');
  });

  it('makes no step whose number is taken', () => {
    expect(step(running({ steps: 3 }), mine, 9_000, { number: 3 }, 5_000)).toBeUndefined();
    expect(step(running({ steps: 3 }), mine, 9_000, { number: 5 }, 5_000)).toBeUndefined();
  });

  it('has ended with the step of its result', () => {
    const after = begun && step(begun, mine, 9_000, { number: 1 }, 5_000);
    expect(after?.effect).toBeUndefined();
    expect(after && requeue(after, defaults, 5_000)).toBeDefined();
  });
});

describe('what a run has used (G16)', () => {
  it('grows with each step and send, and stays over suspensions and pauses', () => {
    const first = step(
      running(),
      mine,
      9_000,
      { number: 1, spend: { rounds: 1, tokens: 50 } },
      2_000,
    );
    const sent = first && beginSend(first, mine, 9_000, sending, 300);
    const suspended = sent && suspend(sent, mine, dependency, 3_000);
    const resumed = suspended && resolve(suspended, suspended.pauseGeneration, 700, 4_000);
    expect(resumed?.spent).toEqual({
      ...NOTHING_SPENT,
      rounds: 1,
      tokens: 50,
      delegations: 1,
      bytes: 1_000,
    });
  });
});

describe('a run that ends while it waits (G17)', () => {
  it.each([
    ['cancelled', (run: Run) => cancel(run, 5_000)],
    ['failed', (run: Run) => fail(run, 'DEADLINE_EXCEEDED', 5_000)],
  ] as const)('%s leaves the remote task to be cancelled', (_status, end) => {
    const next = end(depending());
    expect(next?.orphans).toMatchObject([{ remote: 'remote', sendId: 'send-1', attempts: 0 }]);
    expect(next && obligations(next).map(({ kind }) => kind)).toContain('cancel-remote');
  });

  it('where no remote task is known, or its message is on the way, leaves one to be looked for', () => {
    const unknown = depending({ dependency: { ...dependency, operation: null } });
    const looked = { remote: 'remote', sendId: 'send-1', operation: null };
    expect(cancel(unknown, 5_000)?.orphans).toMatchObject([looked]);
    const underWay = running({ sending });
    expect(fail(underWay, 'ATTEMPTS_EXHAUSTED', 5_000)).toMatchObject({
      orphans: [{ ...sending, operation: null, at: 5_000 }],
    });
    expect(complete(running(), mine, 5_000)).not.toHaveProperty('orphans');
  });

  it('a send is under way until what came of it is committed', () => {
    const sent = beginSend(running(), mine, 9_000, sending, 1);
    if (sent === undefined) throw new Error('not sent');
    expect(sent.sending).toEqual(sending);
    const over = [
      endSend(sent, mine, 9_000),
      step(sent, mine, 9_000, { number: sent.steps + 1 }, 2_000),
      suspend(sent, mine, dependency, 2_000),
    ];
    for (const next of over) expect(next).not.toHaveProperty('sending');
    // A worker that comes after this one may find it, too.
    expect(requeue(sent, defaults, 2_000)?.sending).toEqual(sending);
  });

  it('a task that is known takes the place of one that is looked for, and not the other way round', () => {
    const known = { remote: 'remote', sendId: 'send-1', operation: new Uint8Array([1]) };
    const lost = { ...known, operation: null };
    const found = withOrphan(withOrphan({}, lost, 1), known, 2);
    expect(found.orphans).toMatchObject([known]);
    expect(withOrphan(found, lost, 3)).toEqual(found);
  });

  it('leaves it beside one that could not be cancelled yet', () => {
    const before = { remote: 'other', sendId: 'send-0', at: 9_000, attempts: 2 };
    const orphans = [{ ...before, operation: new Uint8Array([7]) }];
    const next = cancel(depending({ orphans }), 5_000);
    expect(next?.orphans?.map(({ sendId }) => sendId)).toEqual(['send-0', 'send-1']);
    const due = next && obligations(next).filter(({ kind }) => kind === 'cancel-remote');
    expect(due?.map(({ at }) => at)).toEqual([9_000, 5_000]);
  });

  it('leaves it once, also when it was left before', () => {
    const before = { remote: 'remote', sendId: 'send-1', at: 9_000, attempts: 2 };
    const orphans = [{ ...before, operation: new Uint8Array([7]) }];
    const next = cancel(depending({ orphans }), 5_000);
    expect(next?.orphans).toMatchObject([{ sendId: 'send-1', at: 5_000, attempts: 0 }]);
  });

  it('keeps nothing of what it worked with', () => {
    const payloadKey = new Uint8Array([1]);
    const done = complete(
      running({ payloadKey, effect: 'call', continuation: { kind: 'decision', generation: 1 } }),
      mine,
      5_000,
    );
    expect(done).not.toHaveProperty('payloadKey');
    expect(done).not.toHaveProperty('effect');
    expect(done).not.toHaveProperty('continuation');
  });
});

describe('the times of segments', () => {
  it('are noted at the claim and when the run leaves the worker; the newest twenty are kept', () => {
    let run: Run = queued({ deadlineAt: 10_000_000 });
    for (let n = 0; n < 25; n += 1) {
      const held = decideDirectly(
        { ...waiting(), segments: run.segments, deadlineAt: 10_000_000 },
        1,
        granted,
        { due: n, dispatched: n + 1 },
        n + 2,
      );
      const rested = held && pause(held, mine, question, n + 3);
      if (rested === undefined) throw new Error('no pause');
      run = rested;
    }
    expect(run.segments).toHaveLength(20);
    expect(run.segments.at(-1)).toMatchObject({ enqueued: 24, dispatched: 25, claimed: 26 });
    expect(run.segments.at(-1)?.committed).toBe(27);
  });
});
