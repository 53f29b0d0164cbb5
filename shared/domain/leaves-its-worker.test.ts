import { describe, expect, it } from 'vitest';
import { depending, ended, queued, running, token, waiting } from '../../test/doubles/runs.ts';
import type { Blocked } from './blocked.ts';
import { revision } from './ids.ts';
import type { Run } from './run.ts';
import { defaults } from './settings.ts';
import {
  announcedBy,
  block,
  cancel,
  claim,
  destroy,
  exhaustedReason,
  fail,
  handBack,
  late,
  purge,
  putOff,
  rekeyed,
  requeue,
  tighten,
  waitForCircuit,
} from './transitions.ts';

const mine = token('mine');
const granted = { token: token('next'), until: 900_000 };
const delivery = { due: 1_000, dispatched: 1_000 };
const blocked: Blocked = { since: 2_000, changes: [], digest: 'd' };
const { backoff, backoffMax } = defaults;

describe('a run that leaves its worker', () => {
  const run = running({ attempts: 2, deadlineAt: 500_000 });

  it('is put off for longer the longer our own service has refused it, and no attempt counts', () => {
    const at = (now: number) => putOff(run, mine, defaults, now);
    expect(at(2_000)).toMatchObject({
      status: 'queued',
      attempts: 2,
      repeats: 1,
      notBefore: 2_000 + backoff,
    });
    const lasted = 4 * backoff + 4_000;
    expect(at(run.statusAt + lasted)?.notBefore).toBe(run.statusAt + lasted + backoff + 1_000);
    expect(at(1e9)?.notBefore).toBe(1e9 + backoffMax);
    expect(putOff({ ...run, repeats: 4 }, mine, defaults, 2_000)?.repeats).toBe(5);
  });

  it('waits for a remote agent that is left alone, and no attempt counts', () => {
    const circuit = { circuit: 'peer', until: 60_000 };
    const waits = waitForCircuit(run, mine, circuit, 2_000);
    expect(waits).toMatchObject({ status: 'queued', circuit: 'peer', notBefore: 60_000 });
    expect(waits).toMatchObject({ attempts: 2 });
    expect(waits).not.toHaveProperty('repeats');
    expect(waitForCircuit(run, mine, circuit, 70_000)?.notBefore).toBe(70_000);
  });

  it('is held by what changed, looks again later and later, and loses no working time', () => {
    const held = block(run, mine, blocked, defaults, 2_000);
    expect(held).toMatchObject({ blocked, notBefore: 2_000 + backoff, attempts: 2 });
    expect(held?.deadlineAt).toBe(500_000 + backoff);
    const lasted = 2_000 + 8 * backoff;
    expect(block(run, mine, blocked, defaults, lasted)?.notBefore).toBe(lasted + 2 * backoff);
    expect(block(run, mine, blocked, defaults, 1e9)?.notBefore).toBe(1e9 + backoffMax);
  });

  it('is due at once where its worker hands it back', () => {
    expect(handBack(run, mine, 3_000, true)).toMatchObject({ notBefore: 3_000, repeats: 1 });
    expect(handBack(run, mine, 3_000, false)).not.toHaveProperty('repeats');
  });

  it.each<[string, (run: Run) => Run | undefined]>([
    ['put off', (each) => putOff(each, mine, defaults, 2_000)],
    ['left waiting', (each) => waitForCircuit(each, mine, { circuit: 'a', until: 9 }, 2_000)],
    ['held', (each) => block(each, mine, blocked, defaults, 2_000)],
    ['handed back', (each) => handBack(each, mine, 2_000, true)],
  ])(
    'is not %s by another worker, nor with a tool at work that must not run twice',
    (_, leaves) => {
      expect(leaves(run)?.status).toBe('queued');
      expect(leaves({ ...run, effect: 'call-1' })).toBeUndefined();
      expect(leaves({ ...run, claim: granted })).toBeUndefined();
      expect(leaves(queued())).toBeUndefined();
    },
  );

  it('is tried again at once where that is said, and not after a tool that may have run', () => {
    const first = running({});
    expect(requeue(first, defaults, 2_000, 0)).toMatchObject({ attempts: 1, notBefore: 2_000 });
    expect(requeue(first, defaults, 2_000)?.notBefore).toBe(2_000 + backoff);
    expect(requeue({ ...first, effect: 'call-1' }, defaults, 2_000)).toBeUndefined();
    expect(exhaustedReason(first)).toBe('ATTEMPTS_EXHAUSTED');
    expect(exhaustedReason({ ...first, effect: 'call-1' })).toBe('EFFECT_UNKNOWN');
  });
});

describe('the deadline of a run', () => {
  const overdue = { deadlineAt: 5_000, notBefore: 4_000 };

  it.each<[boolean, string, Run]>([
    [true, 'is queued', queued(overdue)],
    [true, 'works', running({ deadlineAt: 5_000 })],
    [true, 'waits for a remote agent', depending({ deadlineAt: 5_000 })],
    [false, 'is queued, and held', queued({ ...overdue, blocked })],
    [false, 'sleeps', queued({ ...overdue, asleep: true })],
    [false, 'waits for a remote agent, and is held', depending({ deadlineAt: 5_000, blocked })],
    [false, 'waits for a person', waiting({ deadlineAt: 5_000 })],
    [false, 'has ended', { ...ended('completed'), deadlineAt: 5_000 }],
  ])('counts (%s) for one that %s', (counts, _, run) => {
    expect(late(run, 5_000)).toBe(counts);
    expect(late(run, 4_999)).toBe(false);
  });

  it('comes no nearer while it sleeps or is held, however late it goes on', () => {
    for (const over of [{ asleep: true as const }, { blocked }]) {
      const goes = claim(queued({ ...overdue, ...over }), granted, delivery, 9_000);
      expect(goes?.deadlineAt).toBe(10_000);
      const early = claim(queued({ ...overdue, ...over }), granted, delivery, 4_000);
      expect(early?.deadlineAt).toBe(5_000);
    }
    expect(claim(queued(overdue), granted, delivery, 4_999)?.deadlineAt).toBe(5_000);
    expect(claim(queued(overdue), granted, delivery, 5_000)).toBeUndefined();
  });
});

describe('a run that ends', () => {
  const sending = { remote: 'peer', sendId: 'send-1' };
  const work = { payloadKey: new Uint8Array([1]), effect: 'c', pins: [], blocked, sending };

  it('keeps nothing of its work, and has the task of a message under way looked for', () => {
    for (const over of [cancel(running(work), 3_000), fail(running(work), 'AGENT_FAILED', 3_000)]) {
      for (const name of ['payloadKey', 'effect', 'pins', 'blocked', 'sending'])
        expect(over).not.toHaveProperty(name);
      expect(over?.orphans).toEqual([{ ...sending, operation: null, at: 3_000, attempts: 0 }]);
      expect(over?.revision).toBe(2);
    }
    expect(cancel(running({}), 3_000)).not.toHaveProperty('orphans');
  });

  it('is removed only when it has ended or waits for a person, or by an operator', () => {
    const kept = { payloadKey: new Uint8Array([1]), orphans: [], acts: [], errors: [] };
    for (const run of [{ ...ended('completed'), ...kept }, waiting(kept)]) {
      const removed = purge(run, 500);
      expect(removed).toMatchObject({ status: 'purging', statusAt: 1_000, purgeAt: null });
      expect(removed?.wrappedKey).toEqual(new Uint8Array());
      for (const name of Object.keys(kept)) expect(removed).not.toHaveProperty(name);
    }
    for (const run of [queued(), running(), depending()]) {
      expect(purge(run, 9_000)).toBeUndefined();
      expect(destroy(run, 9_000)).toMatchObject({ status: 'purging', statusAt: 9_000 });
    }
  });
});

describe('a tighter ceiling', () => {
  it.each<[string, Run, Parameters<typeof tighten>[1], string]>([
    ['of the audit alone asks for nothing', running(), { audit: 'metadata' }, 'none'],
    ['of the archive alone asks for nothing', running(), { archive: 'sealed' }, 'none'],
    ['that keeps the result redacts it', running(), { answer: 'redacted' }, 'redact'],
    ['that keeps none fails what is open', running(), { answer: 'none' }, 'fail'],
    ['that keeps none removes what has ended', ended('completed'), { answer: 'none' }, 'purge'],
  ])('%s', (_, run, wanted, consequence) => {
    expect(tighten(run, wanted)?.consequence).toBe(consequence);
  });

  it('is never loosened, and leaves what a newer version wrote', () => {
    const tight = running({ answerCeiling: 'redacted', auditCeiling: 'metadata' });
    expect(tighten(tight, { answer: 'full', audit: 'full' })).toBeUndefined();
    expect(tighten(tight, {})).toBeUndefined();
    expect(tighten(tight, { answer: 'none' })?.next).toMatchObject({ auditCeiling: 'metadata' });
    const unknown = { ...ended('completed'), status: 'unknown', stored: 'new' } as const;
    expect(tighten(unknown, { answer: 'none' })).toBeUndefined();
  });

  it('that makes a new key makes all before unreadable', () => {
    const before = running({ revision: revision(4), payloadKey: new Uint8Array([1]), orphans: [] });
    const next = rekeyed(before, before, new Uint8Array([9]));
    expect(next).toMatchObject({ scrubbedRevision: 4, scrubPending: true });
    expect(next.wrappedKey).toEqual(new Uint8Array([9]));
    expect(next).not.toHaveProperty('payloadKey');
    expect(next).not.toHaveProperty('orphans');
  });
});

it('a first revision that is WORKING was SUBMITTED, too', () => {
  const told = (number: number, state: string) => announcedBy({ revision: number, state });
  expect(told(1, 'WORKING')).toEqual(['SUBMITTED', 'WORKING']);
  expect(told(1, 'SUBMITTED')).toEqual(['SUBMITTED']);
  expect(told(2, 'WORKING')).toEqual(['WORKING']);
});
