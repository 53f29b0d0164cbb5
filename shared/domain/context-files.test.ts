import { describe, expect, it } from 'vitest';
import {
  arrived,
  barred,
  begun,
  type ContextFiles,
  type Descended,
  discardable,
  discarded,
  dropped,
  filesOf,
  fitsInto,
  headOf,
  kept,
  liveOf,
  meetingOf,
  MOST_TASKS,
  newContextFiles,
  type PackRef,
  pruned,
  startOf,
} from './context-files.ts';
import type { FilesCommit } from './files.ts';

const commit = (id: string): FilesCommit => ({ id, tree: id, count: 1, bytes: 1 });
const made = (id: string): Descended => ({ commit: commit(id), parents: [] });
const pack = (name: string, bytes = 1): PackRef => ({ name, bytes, objects: 1, frontBytes: 0 });
const none = { added: [], replaced: [] };
const empty = newContextFiles('scope', 'repository');

/** A context on which tasks did these things, one after the other. */
const after = (...does: readonly ((files: ContextFiles) => ContextFiles)[]): ContextFiles =>
  does.reduce((files, each) => each(files), empty);
const begin = (task: string) => (files: ContextFiles) => begun(files, task);
const keep = (task: string, id: string) => (files: ContextFiles) =>
  kept(files, task, made(id), none, 0);
const finish =
  (
    task: string,
    id: string,
    more: { readonly merged?: Descended; readonly branch?: boolean } = {},
  ) =>
  (files: ContextFiles) =>
    arrived(begun(files, task), task, { own: made(id), ...more }, none, 0);
const drop =
  (task: string, pruneAt: number | null = null) =>
  (files: ContextFiles) =>
    dropped(files, [task], pruneAt);
const live = (files: ContextFiles) => liveOf(files).map(({ id }) => id);

describe('the files that a task starts from', () => {
  it.each<[string, () => ContextFiles, string | undefined]>([
    ['nothing, in a new context', () => empty, undefined],
    [
      'nothing, while the first task is active',
      () => after(begin('a'), keep('a', 'a1')),
      undefined,
    ],
    [
      'those of the task that completed last',
      () => after(finish('a', 'a1'), finish('b', 'b1')),
      'b1',
    ],
    [
      'what became of both',
      () => after(finish('a', 'a1'), finish('b', 'b1', { merged: made('m') })),
      'm',
    ],
    [
      'those of the last one that did not overlap',
      () => after(finish('a', 'a1'), finish('b', 'b1', { branch: true })),
      'a1',
    ],
    [
      'those of one that overlapped, if no other is left',
      () => after(finish('b', 'b1', { branch: true })),
      'b1',
    ],
    [
      'those of the one before, once the last is removed',
      () => after(finish('a', 'a1'), finish('b', 'b1'), drop('b')),
      'a1',
    ],
  ])('are %s', (_what, build, id) => {
    const files = build();
    expect(headOf(files)?.commit.id).toBe(id);
    const started = begun(files, 'next');
    expect(startOf(started, 'next')?.id).toBe(id);
    expect(filesOf(started, 'next')).toMatchObject({ order: 0, own: null, merged: null });
    expect(filesOf(started, 'next')).toMatchObject({ branch: false, barred: false });
  });

  it('are its own as soon as it has some', () => {
    const files = after(finish('a', 'a1'), begin('b'), keep('b', 'b1'));
    expect(startOf(files, 'b')?.id).toBe('b1');
    expect(startOf(files, 'unknown')).toBeUndefined();
  });

  it('are looked for once', () => {
    const files = after(begin('a'), finish('b', 'b1'));
    expect(begun(files, 'a')).toBe(files);
  });
});

describe('the completion of a task', () => {
  const overlapping = () => after(finish('a', 'a1'), begin('b'), finish('c', 'c1'));

  it.each<[string, () => ContextFiles, object]>([
    ['goes forward in a context without files', () => after(begin('b')), { kind: 'forward' }],
    [
      'goes forward from what it began with',
      () => after(finish('a', 'a1'), begin('b')),
      { kind: 'forward' },
    ],
    [
      'goes forward where what it began with is gone and the context fell back',
      () => after(finish('x', 'x1'), finish('a', 'a1'), begin('b'), drop('a')),
      { kind: 'forward' },
    ],
    [
      'meets what came meanwhile',
      overlapping,
      { kind: 'merge', base: commit('a1'), head: commit('c1') },
    ],
    [
      'meets it without a base where it began with nothing',
      () => after(begin('b'), finish('c', 'c1')),
      { kind: 'merge', head: commit('c1') },
    ],
    [
      'meets it without a base that is gone',
      () => after(finish('a', 'a1'), begin('b'), keep('b', 'b1'), finish('c', 'c1'), drop('a')),
      { kind: 'merge', head: commit('c1') },
    ],
  ])('%s', (_what, build, meeting) => {
    expect(meetingOf(build(), 'b')).toEqual(meeting);
  });

  it('has the next place, holds no base any more, and lets go of the oldest task beyond the most', () => {
    const files = after(finish('a', 'a1'), finish('b', 'b1'));
    expect(files.tasks.map(({ base, order }) => [base, order])).toEqual([
      [null, 1],
      [null, 2],
    ]);
    const many = Array.from({ length: MOST_TASKS }, (_, at) => finish(`t${at}`, `c${at}`));
    const full = after(begin('open'), ...many);
    expect(full.tasks).toHaveLength(MOST_TASKS + 1);
    const next = finish('more', 'm1')(full);
    expect(next.tasks).toHaveLength(MOST_TASKS + 1);
    expect(filesOf(next, 't0')).toBeUndefined();
    expect(filesOf(next, 'open')).toBeDefined();
  });
});

describe('what stays in the repository', () => {
  it('is each commit once that a task has, came to, or began with', () => {
    const files = after(
      finish('a', 'a1'),
      begin('b'),
      begin('c'),
      keep('c', 'c1'),
      finish('d', 'd1', { merged: made('m1') }),
    );
    expect(live(files).toSorted()).toEqual(['a1', 'c1', 'd1', 'm1']);
  });

  it('is what a task began with until it has files of its own, though the task that left it is removed', () => {
    const files = after(finish('a', 'a1'), begin('b'), drop('a', 9_000));
    expect(live(files)).toEqual(['a1']);
    expect(live(keep('b', 'b1')(files))).toEqual(['b1']);
    // A pruning can't take it yet, so another is due.
    expect(pruned(files, none).pruneAt).toBe(9_000);
    expect(pruned(keep('b', 'b1')(files), none).pruneAt).toBeNull();
    expect(pruned(after(finish('a', 'a1'), begin('b')), none).pruneAt).toBeNull();
  });

  it('is nothing of a task that may not keep what it works with', () => {
    const files = after(finish('a', 'a1'), begin('b'), keep('b', 'b1'));
    const closed = barred(files, ['b', 'unknown']);
    expect(filesOf(closed, 'b')).toMatchObject({ barred: true, base: null, own: null });
    expect(live(closed)).toEqual(['a1']);
    expect(barred(closed, ['b'])).toBe(closed);
  });

  it.each([
    ['the earlier of two times', 5_000, 9_000, 5_000],
    ['the only time', null, 9_000, 9_000],
    ['the time that was known', 5_000, null, 5_000],
    ['no time', null, null, null],
  ])('without a removed task is pruned at %s', (_what, known, pruneAt, due) => {
    const before = { ...after(finish('a', 'a1'), begin('b')), pruneAt: known };
    const files = dropped(before, ['a'], pruneAt);
    expect(files).toMatchObject({ pruneAt: due, version: before.version + 1 });
    expect(files.tasks.map(({ task }) => task)).toEqual(['b']);
    expect(dropped(files, ['a'], null)).toBe(files);
    expect(dropped(before, ['unknown'], null)).toBe(before);
  });
});

describe('packs', () => {
  const listed: ContextFiles = { ...empty, packs: [pack('p1', 5), pack('p2', 6)] };
  const change = { added: [pack('p3', 7)], replaced: ['p1'] };

  it('that are replaced are doomed until readers are done, and raise the version', () => {
    const files = kept(begun(listed, 'a'), 'a', made('a1'), change, 4_000);
    expect(files.packs.map(({ name }) => name)).toEqual(['p2', 'p3']);
    expect(files.doomed).toEqual([{ names: ['p1'], after: 4_000 }]);
    expect(files.version).toBe(3);
    expect(discardable(files, 3_999)).toEqual([]);
    expect(discardable(files, 4_000)).toEqual(['p1']);
  });

  it('are doomed by no upload that only adds', () => {
    const files = kept(begun(listed, 'a'), 'a', made('a1'), { ...change, replaced: [] }, 4_000);
    expect(files.doomed).toEqual([]);
  });

  it('that a pruning replaces are due at once, as those before, and the largest is listed first', () => {
    const files = pruned({ ...listed, doomed: [{ names: ['p0'], after: 8_000 }] }, change);
    expect(files.packs.map(({ name }) => name)).toEqual(['p3', 'p2']);
    expect(discardable(files, 0)).toEqual(['p0', 'p1']);
  });

  it('are forgotten when all of one change are deleted', () => {
    const doomed = [
      { names: ['p0', 'p1'], after: 0 },
      { names: ['p2'], after: 0 },
    ];
    const files = { ...listed, doomed };
    expect(discarded(files, ['p1'])).toBe(files);
    expect(discarded(files, ['p1', 'p0'])).toMatchObject({ doomed: doomed.slice(1), version: 1 });
  });

  it.each<[string, ContextFiles, boolean]>([
    ['is listed over what it was made over', listed, true],
    [
      'is listed where other packs came and went',
      { ...listed, packs: [pack('p1'), pack('p4')] },
      true,
    ],
    ['is refused where what it replaces is gone', { ...listed, packs: [pack('p2')] }, false],
    ['is refused in another repository', { ...listed, repository: 'other' }, false],
  ])('an upload %s', (_what, current, fits) => {
    expect(fitsInto(change, listed, current)).toBe(fits);
  });

  it('an upload that replaces none is listed whatever came meanwhile', () => {
    expect(fitsInto({ added: [], replaced: [] }, listed, { ...listed, packs: [] })).toBe(true);
  });
});
