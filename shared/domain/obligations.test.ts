import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRun, queued, running, waiting } from '../../test/doubles/runs.ts';
import { revision } from './ids.ts';
import { dueAt, dueNow, obligations } from './obligations.ts';
import { isEnded } from './run.ts';

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
