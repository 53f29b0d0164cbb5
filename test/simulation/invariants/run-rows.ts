import { isEnded, stateOf } from '../../../shared/domain/run.ts';
import { dueAt } from '../../../shared/domain/obligations.ts';
import type { Commit } from '../record.ts';
import { commitOf, revisionIn } from '../../../testing/rows.ts';
import { rests } from './at-rest.ts';
import { runChanges } from './row-changes.ts';

/**
 * Terminal is terminal (docs/architecture.md#statuses-and-transitions): only the note of the
 * projector may still change such a row.
 */
export function terminalStaysTerminal(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (before === undefined || !isEnded(before)) continue;
    if (after?.status !== before.status || after.revision !== before.revision) {
      return `${before.taskId} was ${before.status}`;
    }
  }
  return undefined;
}

/**
 * Every state that may be seen is committed with the row that it belongs to, one number after the
 * other (G1, G2): a revision without its row, or a row without its revision, would show what is not
 * so or hide what is.
 */
export function revisionComesWithItsRow(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (after === undefined) return `a run was deleted`;
    const step = after.revision - (before?.revision ?? 0);
    if (step !== 0 && step !== 1) return `${after.taskId} went ${step} revisions on`;
    const name = `revision ${after.revision} of ${after.taskId}`;
    const written = commit.changes
      .filter(({ path }) => path.split('/')[1] === after.taskId)
      .flatMap((change) => revisionIn(change.after) ?? []);
    const [revision, ...more] = written;
    if (more.length > 0) return `${name} was committed with another one`;
    if ((revision !== undefined) !== (step === 1)) return `${name} and its row went apart`;
    if (step === 0 && before !== undefined && stateOf(before) !== stateOf(after)) {
      return `${after.taskId} became ${stateOf(after)} without a revision`;
    }
    if (revision === undefined) continue;
    if (revision.revision !== after.revision) return `${name} came as ${revision.revision}`;
    if (revision.state !== stateOf(after)) return `${name} says ${revision.state}`;
    if (commitOf(revision) !== after.commitId) return `${name} and its row are of two commits`;
  }
  return undefined;
}

/** Times of one task never go backwards, whatever the machines' clocks say. */
export function timeNeverRunsBackwards(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (before !== undefined && after !== undefined && after.statusAt < before.statusAt) {
      return `${after.taskId} went from ${before.statusAt} to ${after.statusAt}`;
    }
  }
  return undefined;
}

/**
 * Each open run has a due time that the sweeper acts on, or waits for a person; what is not
 * projected is due, too (G24).
 */
export function somebodyIsResponsible(commit: Commit): string | undefined {
  for (const { path, after } of commit.changes) {
    const [change] = /^runs\/[^/]+$/.test(path)
      ? runChanges({ ...commit, changes: [{ path, before: undefined, after }] })
      : [];
    const run = change?.after;
    if (run === undefined || after === undefined) continue;
    const indexed = after.fields['dueAt'];
    if (indexed !== dueAt(run))
      return `${run.taskId} is due at ${dueAt(run)} and indexed at ${JSON.stringify(indexed)}`;
    if (indexed === null && !rests(run)) {
      return `${run.taskId} is ${run.status} and no wake-up looks after it`;
    }
    if (run.status === 'running' && Number(indexed) > run.claim.until)
      return `${run.taskId} outlives its lease`;
  }
  return undefined;
}
