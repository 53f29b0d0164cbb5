import { type ViewDoc } from '../../../shared/app/records/documents.ts';
import type { Run } from '../../../shared/domain/run.ts';
import type { Commit } from '../record.ts';
import { runOf, viewOf } from '../../../testing/rows.ts';

export interface RowChange<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

const RUN = /^runs\/[^/]+$/;
const VIEW = /^tasks\/[^/]+$/;

const known = new WeakMap<Commit, readonly RowChange<Run>[]>();

/** What a commit did to rows of runs; most commits touch one, many none. */
export function runChanges(commit: Commit): readonly RowChange<Run>[] {
  const found =
    known.get(commit) ??
    commit.changes
      .filter(({ path }) => RUN.test(path))
      .map(({ before, after }) => ({ before: runOf(before), after: runOf(after) }));
  known.set(commit, found);
  return found;
}

export function viewChanges(commit: Commit): readonly RowChange<ViewDoc>[] {
  return commit.changes
    .filter(({ path }) => VIEW.test(path))
    .map(({ before, after }) => ({ before: viewOf(before), after: viewOf(after) }));
}
