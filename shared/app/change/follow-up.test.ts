import { describe, expect, it } from 'vitest';
import { ended, failed, queued, running, waiting } from '../../../test/doubles/runs.ts';
import { VirtualClock } from '../../../testing/virtual-clock.ts';
import { type ContextFiles, newContextFiles } from '../../domain/context-files.ts';
import { revision } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import { defaults } from '../../domain/settings.ts';
import { filesOfEnded, followUp, freedContext } from './follow-up.ts';
import type { Reads } from './run-change.ts';

const DAY = 24 * 60 * 60 * 1_000;
const settings = { ...defaults, retention: 30 * DAY, waitingRetention: 90 * DAY };
const app = { agents: new Map(), settings, clock: new VirtualClock(50_000) };
const later = { revision: revision(2), statusAt: 7_000 };

describe('when a run may be removed', () => {
  it.each<[string, Run, Run['purgeAt']]>([
    ['never while it works', running(later), null],
    ['by the retention of what waits for a person', waiting(later), 7_000 + 90 * DAY],
    ['by the retention after its end', { ...ended('completed'), ...later }, 7_000 + 30 * DAY],
    ['by it, too, where it failed', { ...failed(), ...later }, 7_000 + 30 * DAY],
    ['a day after its wait was over', { ...failed(), ...later, reason: 'WAIT_ENDED' }, 7_000 + DAY],
  ])('%s', (_, next, at) => {
    expect(followUp(app, running(), next).purgeAt).toBe(at);
  });

  it('is not put off by what is only noted on it', () => {
    const before: Run = { ...ended('completed'), purgeAt: 9 };
    expect(followUp(app, before, { ...before, statusAt: 7_000 }).purgeAt).toBe(9);
  });

  it('is no later for a wait that was over than for any other end', () => {
    const short = { ...app, settings: { ...settings, retention: 1_000 } };
    const next: Run = { ...failed(), ...later, reason: 'WAIT_ENDED' };
    expect(followUp(short, running(), next).purgeAt).toBe(8_000);
  });
});

describe('the message of a run', () => {
  it.each<[Run, boolean]>([
    [running({ ...later, hasInput: true }), true],
    [waiting({ ...later, hasInput: true, status: 'waiting_for_approval' }), true],
    [waiting({ ...later, hasInput: true }), false],
    [{ ...ended('completed'), ...later, hasInput: true }, false],
    [running(later), false],
  ])('is needed until it is answered or over: %#', (next, needed) => {
    expect(followUp(app, running(), next).hasInput).toBe(needed);
  });
});

it('the end of a run is noted once', () => {
  const end: Run = { ...ended('completed'), ...later };
  expect(followUp(app, running(), end)).toMatchObject({ endedAt: 7_000 });
  const noted: Run = { ...end, endedAt: 7_000, statusAt: 9_000 };
  expect(followUp(app, end, noted)).toMatchObject({ endedAt: 7_000 });
  expect(followUp(app, running(), running(later)).endedAt).toBeUndefined();
});

it('what follows from a status that this version does not know is left to the one that does', () => {
  const next = { ...queued(), status: 'unknown', stored: 'newer', archivePending: true } as const;
  expect(followUp(app, queued(), next)).toBe(next);
});

describe('uploads that no row will name', () => {
  const files = { repository: 'r', form: 'git' } as const;
  const due = { files: { ...files, dueAt: 50_000 + settings.filesOrphans } };
  const before = running({ files, attempts: 1, repeats: 1 });

  it.each<[string, Run, Run, object]>([
    ['of an attempt that was lost', before, queued({ files, attempts: 2, repeats: 1 }), due],
    ['of one that is repeated', before, queued({ files, attempts: 1, repeats: 2 }), due],
    ['of the first repeat', running({ files }), queued({ files, repeats: 1 }), due],
    ['of a task that failed', before, { ...failed(), files, attempts: 1, repeats: 1 }, due],
    ['none of one that completed', before, { ...ended('completed'), files }, { files }],
    ['none of one that asks', before, waiting({ files, attempts: 1, repeats: 1 }), { files }],
    ['none of one that did not work', queued({ files }), { ...failed(), files }, { files }],
    ['none without files', running(), failed(), { files: undefined }],
  ])('are due to be tidied: %s', (_, was, next, expected) => {
    expect({ files: followUp(app, was, next).files }).toEqual(expected);
  });

  it('are due no later for what else is left', () => {
    const already = { ...files, dueAt: 9 };
    const next: Run = { ...failed(), files: already };
    expect(followUp(app, running({ files: already }), next).files).toEqual(already);
  });
});

describe('the context of a run', () => {
  const context = {
    v: 1,
    scope: 'scope',
    activeTask: running().taskId,
    lastCompleted: null,
    updatedAt: 1,
  };
  const holding = (doc: object | undefined): Reads => ({
    get: () => Promise.resolve(doc as never),
    getAll: () => Promise.reject(new Error('not asked')),
  });
  const end: Run = { ...ended('completed'), ...later };

  it('is free when its task ends, and knows which one completed last', async () => {
    const after = { ...context, activeTask: null, updatedAt: 7_000 };
    expect(await freedContext(holding(context), running(), end)).toEqual({
      ...after,
      lastCompleted: end.taskId,
    });
    const fails: Run = { ...failed(), ...later };
    expect(await freedContext(holding(context), running(), fails)).toEqual(after);
    const others = { ...context, activeTask: 'another', lastCompleted: 'earlier' };
    expect(await freedContext(holding(others), running(), fails)).toEqual({
      ...others,
      updatedAt: 7_000,
    });
  });

  it('is left as it is by a task that goes on, one that has ended before, and where there is none', async () => {
    expect(await freedContext(holding(context), queued(), running())).toBeUndefined();
    expect(await freedContext(holding(context), end, end)).toBeUndefined();
    expect(await freedContext(holding(undefined), running(), end)).toBeUndefined();
  });

  it('has no files any more of a task that ends without a result', async () => {
    const own = { repository: 'r', form: 'git' } as const;
    const files: ContextFiles = {
      ...newContextFiles('scope', 'r'),
      tasks: [
        {
          task: end.taskId,
          order: 0,
          base: null,
          own: null,
          merged: null,
          branch: false,
          barred: false,
        },
      ],
    };
    const fails: Run = { ...failed(), files: own };
    const left = await filesOfEnded(holding(files), running({ files: own }), fails);
    expect(left?.tasks).toEqual([]);
    const none: readonly [Run, Run][] = [
      [running({ files: own }), { ...ended('completed'), files: own }],
      [running({ files: own }), waiting({ files: own })],
      [fails, fails],
      [running(), failed()],
    ];
    for (const [before, next] of none)
      expect(await filesOfEnded(holding(files), before, next)).toBeUndefined();
    const others = { ...files, tasks: [] };
    expect(await filesOfEnded(holding(others), running({ files: own }), fails)).toBeUndefined();
  });
});
