import { describe, expect, it } from 'vitest';
import { ended, frame, queued, running, waiting } from '../../../test/doubles/runs.ts';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import { revision } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import { defaults } from '../../domain/settings.ts';
import { archiveMarks, firstArchive, isArchiveDue, withCopy } from './archive-due.ts';

const INTERVAL = 500;
const app = {
  agents: new Map(),
  settings: { ...defaults, archiveInterval: INTERVAL },
  clock: new VirtualClock(50_000),
};
const second = revision(2);
const later = { revision: second, statusAt: 7_000 };

describe('when the newest revision of a run is due in the archive (G20)', () => {
  it('of a new run is an interval from its beginning, and never without an archive', () => {
    expect(firstArchive(app, queued())).toEqual({ archiveAt: frame.createdAt + INTERVAL });
    expect(firstArchive(app, queued({ archive: 'off' }))).toEqual({});
  });

  it.each<[string, Run, Run, object]>([
    [
      'at once where it came to rest',
      running(),
      { ...ended('completed'), ...later },
      { archivePending: true },
    ],
    ['at once where it asks', running(), waiting(later), { archivePending: true }],
    [
      'still, until the copy of its rest is written',
      ended('completed'),
      { ...ended('completed'), archivePending: true },
      { archivePending: true },
    ],
    ['no more where nothing changed at rest', ended('completed'), ended('completed'), {}],
    [
      'at once where its archive is another',
      ended('completed'),
      { ...ended('completed'), archive: 'sealed' },
      { archivePending: true },
    ],
    [
      'an interval from its first change',
      running(),
      running(later),
      { archiveAt: 7_000 + INTERVAL },
    ],
    [
      'no later for another change',
      running(),
      running({ ...later, archiveAt: 7_100 }),
      { archiveAt: 7_100 },
    ],
    ['as before where nothing is news', running(), running({ attempts: 1 }), {}],
    [
      'never without an archive',
      running(),
      running({ ...later, archive: 'off', archiveAt: 7_100 }),
      {},
    ],
    [
      'never once it is being removed',
      running(),
      { ...frame, ...later, status: 'purging', archiveAt: 7_100 },
      {},
    ],
  ])('is %s', (_what, before, next, marks) => {
    expect(archiveMarks(app, before, next)).toEqual(marks);
  });

  it.each<[string, Run, boolean]>([
    ['at its time', running({ archiveAt: 7_000 }), true],
    ['not before its time', running({ archiveAt: 7_001 }), false],
    ['not without a time', running(), false],
    ['at rest', { ...ended('completed'), archivePending: true }, true],
    [
      'not of a status that only a newer version knows',
      { ...frame, status: 'unknown', stored: 'newer', archiveAt: 1 },
      false,
    ],
  ])('has come %s', (_what, run, due) => {
    expect(isArchiveDue(run, 7_000)).toBe(due);
  });

  it('is over with a copy of that revision, and an interval from now with an older one', () => {
    const archived = { revision: second, generation: 'g' };
    const open = { archiveAt: 100, archivePending: true } as const;
    const same = withCopy(app, running({ ...later, ...open }), archived);
    expect(same).toEqual(running({ ...later, archived }));
    const ahead = running({ ...later, revision: revision(3) });
    const again = withCopy(app, { ...ahead, ...open }, archived);
    expect(again).toEqual({
      ...ahead,
      archived,
      archivePending: true,
      archiveAt: 50_000 + INTERVAL,
    });
    expect(withCopy(app, ahead, archived)).toEqual({ ...ahead, archived });
  });
});
