import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRun, ended, queued, running, waiting } from '../../test/doubles/runs.ts';
import { revision } from './ids.ts';
import { dueAt, dueNow, type Obligation, obligations, repeatsDue } from './obligations.ts';
import { isEnded, type RunFrame } from './run.ts';

describe('obligations (G24)', () => {
  it('every open run is due some time, unless it waits for a person with everything projected', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const person = run.status === 'waiting_for_input' || run.status === 'waiting_for_approval';
        const open = !isEnded(run) && !person && run.status !== 'unknown';
        if (open) expect(dueAt(run)).not.toBeNull();
        if (run.projectedRevision < run.revision) expect(dueAt(run)).not.toBeNull();
      }),
    );
  });

  it('a row is due exactly when one of its obligations is', () => {
    fc.assert(
      fc.property(anyRun, fc.integer({ min: 0, max: 300_000 }), (run, now) => {
        const due = dueAt(run);
        expect(dueNow(run, now).length > 0).toBe(due !== null && due <= now);
      }),
    );
  });

  it('what was shown is to be told, until the row says that it was', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const owed = obligations(run).some(({ kind }) => kind === 'push');
        const { projectedRevision, status, webhooks } = run;
        const lags = webhooks !== undefined && webhooks.told < projectedRevision;
        expect(owed).toBe(lags && status !== 'purging');
      }),
    );
  });

  it('a queued run is run and has a deadline; a running one has a lease to check', () => {
    const projected = { projectedRevision: revision(1) };
    expect(obligations(queued(projected)).map(({ kind }) => kind)).toEqual(['run', 'deadline']);
    expect(obligations(running(projected)).map(({ kind }) => kind)).toEqual([
      'check-lease',
      'deadline',
    ]);
    expect(obligations(waiting(projected))).toEqual([]);
  });
});

describe('what is due for what a row keeps', () => {
  const shown = { projectedRevision: revision(1) };
  const open = (over: Partial<RunFrame>) => obligations(waiting({ ...shown, ...over }));

  it.each<[string, Partial<RunFrame>, readonly Obligation[]]>([
    ['what is not shown yet', { projectedRevision: revision(0) }, [{ kind: 'project', at: 1_000 }]],
    ['a copy for the archive', { archiveAt: 7_000 }, [{ kind: 'project', at: 7_000 }]],
    [
      'a copy that is due with what is shown',
      { archiveAt: 7_000, scrubPending: true },
      [{ kind: 'project', at: 1_000 }],
    ],
    ['its retention', { purgeAt: 9_000 }, [{ kind: 'purge', at: 9_000 }]],
    [
      'words that fade before it',
      { purgeAt: 9_000, trail: { level: 'full', until: 8_999 } },
      [
        { kind: 'purge', at: 9_000 },
        { kind: 'trail', at: 8_999 },
      ],
    ],
    [
      'words that go with it',
      { purgeAt: 9_000, trail: { level: 'full', until: 9_000 } },
      [{ kind: 'purge', at: 9_000 }],
    ],
    ['words alone', { trail: { level: 'full', until: 8_000 } }, [{ kind: 'trail', at: 8_000 }]],
  ])('%s', (_, over, due) => {
    expect(open(over)).toEqual(due);
  });

  it('is done now at the very moment, and what a newer version wrote is only shown', () => {
    expect(dueNow(waiting({ ...shown, purgeAt: 9_000 }), 9_000)).toHaveLength(1);
    const unknown = { ...ended('completed'), status: 'unknown', stored: 'new' } as const;
    const kept = { ...unknown, archiveAt: 7_000, purgeAt: 9_000 };
    expect(obligations({ ...kept, ...shown })).toEqual([]);
    expect(obligations(kept)).toEqual([{ kind: 'project', at: 1_000 }]);
  });

  it('of a run that is being removed is its removal alone', () => {
    const purging = { ...ended('completed'), ...shown, status: 'purging', purgeAt: 5_000 } as const;
    expect(obligations(purging)).toEqual([{ kind: 'purge', at: 1_000 }]);
    expect(dueAt(ended('completed'))).toBe(1_000);
    expect(dueAt({ ...ended('completed'), ...shown })).toBeNull();
  });
});

describe('repeats', () => {
  it('come after one span, two, four and eight, then every ten', () => {
    const at = (spans: number) => repeatsDue(5_000, 5_000 + spans * 60_000, 60_000);
    const changes = Array.from({ length: 50 }, (_, spans) => spans).filter(
      (spans) => repeatsDue(5_000, 4_999 + spans * 60_000, 60_000) < at(spans),
    );
    expect(changes).toEqual([1, 2, 4, 8, 18, 28, 38, 48]);
    expect(changes.map(at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(at(-1_000)).toBe(0);
  });
});
