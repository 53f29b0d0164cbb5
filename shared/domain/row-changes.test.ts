import { describe, expect, it } from 'vitest';
import {
  dependency,
  depending,
  ended,
  failed,
  frame,
  queued,
  running,
  token,
  waiting,
} from '../../test/doubles/runs.ts';
import type { Blocked, Pin } from './blocked.ts';
import { withOrphan, withOrphans } from './dependency.ts';
import { fence, revision } from './ids.ts';
import { obligations } from './obligations.ts';
import type { Run } from './run.ts';
import {
  claim,
  claimedAtOnce,
  complete,
  fail,
  isActive,
  late,
  progress,
  projected,
  reject,
  renew,
  tighten,
} from './transitions.ts';
import { answer, beginSend, dueAtOnce, pause, step, suspend, waitsForSend } from './waiting.ts';

const mine = token('mine');
const until = 90_000;
const blocked: Blocked = { since: 1, changes: [], digest: 'd', accepted: true };
const pins: readonly Pin[] = ['a', 'b'].map((callId) => ({
  callId,
  kind: 'tool',
  name: 'pay',
  facets: {},
}));

describe('the worker that holds a run (G12)', () => {
  it('renews its lease, which is no news', () => {
    expect(renew(running(), mine, until)).toEqual(running({ claim: { token: mine, until } }));
  });

  it('shows progress, which renews its lease, too', () => {
    const shown = progress(running({ attempts: 2 }), mine, until, 7_000);
    const claimed = { claim: { token: mine, until }, attempts: 2 };
    expect(shown).toEqual(running({ ...claimed, revision: revision(2), statusAt: 7_000 }));
  });

  it('declines the task', () => {
    expect(reject(running(), mine, 7_000)).toMatchObject({ status: 'rejected', revision: 2 });
  });

  it('completes it with what the last step used, and nothing of its work can be read any more', () => {
    const work = {
      payloadKey: new Uint8Array([4]),
      effect: 'call',
      continuation: { kind: 'message', generation: 1 },
      pins,
      blocked,
    } as const;
    const done = complete(running(work), mine, 7_000, { tokens: 9 });
    expect(done?.spent).toEqual({ ...frame.spent, tokens: 9 });
    for (const field of Object.keys(work)) expect(done, field).not.toHaveProperty(field);
  });

  it('of a run that was claimed when it was accepted has the first fence, and the first revision tells both', () => {
    const first = claimedAtOnce(queued(), { token: mine, until }, 3_000);
    expect(first).toMatchObject({ status: 'running', fence: 1, revision: 1 });
    expect(first.segments).toEqual([
      { fence: fence(1), enqueued: 3_000, dispatched: 3_000, claimed: 3_000 },
    ]);
  });

  it('has the first claim announced, and no later one', () => {
    const given = [{ token: mine, until }, { due: 1_000, dispatched: 1_000 }, 2_000] as const;
    expect(claim(queued(), ...given)?.revision).toBe(2);
    expect(claim(queued({ fence: fence(1) }), ...given)?.revision).toBe(1);
  });
});

describe('what calls depend on', () => {
  const held = running({ pins, blocked });

  it.each<[string, readonly string[] | 'all' | undefined, Partial<Run>]>([
    ['stays', [], { pins, blocked }],
    ['stays where none is named', undefined, { pins, blocked }],
    ['goes with the call', ['a'], { pins: pins.slice(1), blocked }],
    ['goes with the last call, and with it what was accepted', ['b', 'a'], {}],
    ['goes when a new turn begins', 'all', {}],
  ])('%s as steps are committed', (_what, done, left) => {
    const next = step(held, mine, until, { number: 1, ...(done && { done }) }, 7_000);
    expect({ pins: next?.pins, blocked: next?.blocked }).toEqual({
      pins: left.pins,
      blocked: left.blocked,
    });
  });

  it('is kept without a block where there is none', () => {
    const next = step(running({ pins }), mine, until, { number: 1 }, 7_000);
    expect(next).not.toHaveProperty('blocked');
  });

  it('is none of a run that never waited', () => {
    const next = step(running(), mine, until, { number: 1, done: ['a'] }, 7_000);
    expect(next).not.toHaveProperty('pins');
    expect(suspend(running(), mine, dependency, 7_000)).not.toHaveProperty('pins');
    expect(suspend(running(), mine, dependency, 7_000, pins)?.pins).toEqual(pins);
  });
});

describe('what a run is asked, and sends', () => {
  it('an answer to a wait for an authentication says so, and one to a question does not', () => {
    const asked = { status: 'waiting_for_input', expectsData: false } as const;
    const login = pause(running(), mine, { ...asked, auth: true }, 2_000);
    expect(login && answer(login, 3_000)?.continuation?.auth).toBe(true);
    const plain = pause(running(), mine, asked, 2_000);
    expect(plain && answer(plain, 3_000)?.continuation).not.toHaveProperty('auth');
  });

  it('a send that was begun before is not paid for again', () => {
    const sending = { remote: 'remote', sendId: 'send-1' };
    const spent = { ...frame.spent, delegations: 2, bytes: 7 };
    const known = running({ spent });
    expect(beginSend(known, mine, until, sending, undefined)?.spent).toEqual(spent);
    const paid = { ...spent, delegations: 3, bytes: 12 };
    expect(beginSend(known, mine, until, sending, 5)?.spent).toEqual(paid);
  });

  it.each<[string, Run, boolean]>([
    ['waits for it', depending({ dependency: { ...dependency, operation: null } }), true],
    ['knows the task that came of it', depending(), false],
    [
      'waits for another',
      depending({ dependency: { ...dependency, operation: null, sendId: 'send-2' } }),
      false,
    ],
    ['waits for a person', waiting(), false],
    ['works', running({ sending: { remote: 'remote', sendId: 'send-1' } }), false],
  ])('a run that %s says whether the outcome of a send is what it lacks', (_what, run, is) => {
    expect(waitsForSend(run, 'send-1')).toBe(is);
  });

  it.each<[string, Run, number | undefined]>([
    ['waits in the queue for the remote', queued({ circuit: 'peer', notBefore: 9_000 }), 7_000],
    ['waits for another remote', queued({ circuit: 'other', notBefore: 9_000 }), undefined],
    ['only backs off', queued({ notBefore: 9_000 }), undefined],
    ['is due already', queued({ circuit: 'peer', notBefore: 7_000 }), undefined],
    ['waits for a poll', depending({ dependency: { ...dependency, remote: 'peer' } }), 7_000],
    [
      'is polled already',
      depending({ dependency: { ...dependency, remote: 'peer', nextPollAt: 7_000 } }),
      undefined,
    ],
    ['depends on another', depending(), undefined],
    ['works', running(), undefined],
  ])('a run that %s is due at once, or left alone, when its remote is back', (_what, run, due) => {
    const next = dueAtOnce(run, 'peer', 7_000);
    const at = next?.status === 'queued' ? next.notBefore : undefined;
    expect(next?.status === 'waiting_for_dependency' ? next.dependency.nextPollAt : at).toBe(due);
    expect(next === undefined).toBe(due === undefined);
  });
});

describe('a remote task that no run waits for', () => {
  const left = (sendId: string, operation: Uint8Array | null) =>
    ({ remote: 'remote', sendId, operation, at: 1_000, attempts: 2 }) as const;
  const task = new Uint8Array([2]);

  it('is noted beside the others, to be cancelled from now on', () => {
    const { orphans } = withOrphan({ orphans: [left('a', task)] }, left('b', null), 7_000);
    expect(orphans).toEqual([left('a', task), { ...left('b', null), at: 7_000, attempts: 0 }]);
  });

  it.each([
    ['a known one by an unknown one', task, null, task],
    ['an unknown one by a known one', null, task, task],
    ['an unknown one by itself', null, null, null],
  ])('never replaces %s', (_what, before, now, kept) => {
    const { orphans } = withOrphan({ orphans: [left('a', before)] }, left('a', now), 7_000);
    expect(orphans?.map(({ operation }) => operation)).toEqual([kept]);
    expect(orphans?.[0]?.attempts).toBe(now === null ? 2 : 0);
    const other = withOrphan({ orphans: [left('b', task)] }, left('a', now), 7_000);
    expect(other.orphans).toHaveLength(2);
  });

  it('leaves no field where there is none', () => {
    expect(withOrphans([])).toEqual({});
  });
});

describe('a row', () => {
  it('is active until it ends or is removed, if its status is known', () => {
    const active: readonly Run[] = [queued(), running(), waiting(), depending()];
    const not: readonly Run[] = [
      ended('completed'),
      failed(),
      { ...frame, status: 'purging' },
      { ...frame, status: 'unknown', stored: 'newer' },
    ];
    expect([...active, ...not].map(isActive)).toEqual([
      ...active.map(() => true),
      ...not.map(() => false),
    ]);
    for (const run of not) expect(fail(run, 'AGENT_FAILED', 9_000)).toBeUndefined();
  });

  it('is late at its deadline, but never while it waits for a person, sleeps or is blocked', () => {
    const deadlineAt = 5_000;
    const counts: readonly Run[] = [
      queued({ deadlineAt }),
      running({ deadlineAt }),
      depending({ deadlineAt }),
    ];
    for (const run of counts) {
      expect(late(run, 4_999)).toBe(false);
      expect(late(run, 5_000)).toBe(true);
    }
    const open: Blocked = { since: 1, changes: [], digest: 'd' };
    for (const run of [
      waiting({ deadlineAt }),
      queued({ deadlineAt, asleep: true }),
      queued({ deadlineAt, blocked: open }),
      depending({ deadlineAt, blocked: open }),
      { ...ended('completed'), deadlineAt },
    ])
      expect(late(run, 9_000)).toBe(false);
  });

  it('notes how far it is projected, up to its revision', () => {
    const run = running({ revision: revision(5), projectedRevision: revision(2) });
    expect([1, 2, 4, 9].map((upTo) => projected(run, upTo).projectedRevision)).toEqual([
      2, 2, 4, 5,
    ]);
    expect(projected(run, 2)).toBe(run);
  });

  it('owes the tidying of its files when that is due, and nothing where it has none', () => {
    const files = { repository: 'r', form: 'git', dueAt: 8_000 } as const;
    const owed = (run: Run) => obligations(run).filter(({ kind }) => kind === 'files');
    expect(owed(waiting({ files }))).toEqual([{ kind: 'files', at: 8_000 }]);
    expect(owed(waiting({ files: { repository: 'r', form: 'git' } }))).toEqual([]);
    expect(owed(waiting())).toEqual([]);
  });
});

describe('a tighter ceiling on a run with files (G7)', () => {
  const files = { repository: 'r', form: 'git' } as const;

  it.each<[string, Run, Parameters<typeof tighten>[1], string, boolean]>([
    ['an active one fails', running({ files }), { answer: 'redacted' }, 'fail', false],
    [
      'an active one fails for its archive',
      running({ files }),
      { archive: 'sealed' },
      'fail',
      false,
    ],
    [
      'one that ended loses them',
      { ...ended('completed'), files },
      { archive: 'off' },
      'none',
      true,
    ],
    [
      'one that ended loses them, and is redacted',
      { ...ended('completed'), files },
      { answer: 'redacted' },
      'redact',
      true,
    ],
    ['audits touch no files', running({ files }), { audit: 'none' }, 'none', false],
    ['without files nothing is lost', running(), { archive: 'sealed' }, 'none', false],
    [
      'what could keep none before loses none',
      { ...ended('completed'), files, archive: 'sealed' },
      { archive: 'off' },
      'none',
      false,
    ],
  ])('%s', (_what, run, wanted, consequence, scrubs) => {
    const tightened = tighten(run, wanted);
    expect(tightened?.consequence).toBe(consequence);
    expect(tightened?.next.scrubPending).toBe(scrubs);
  });
});
