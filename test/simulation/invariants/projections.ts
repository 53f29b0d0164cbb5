import { entryDoc } from '../../../shared/app/records/documents.ts';
import type { MemoryBackend } from '../../../testing/memory-backend.ts';
import type { Commit } from '../record.ts';
import { revisionAt, taskFacts, viewOf } from '../../../testing/rows.ts';
import { runChanges, viewChanges } from './row-changes.ts';

/**
 * Revisions and journal entries are written once and for ever: who has read one has read the truth
 * (G2).
 */
export function nothingPublicIsRewritten(commit: Commit): string | undefined {
  const rewritten = commit.changes.find(
    ({ path, before }) => before !== undefined && /\/(revisions|events)\/[^/]+$/.test(path),
  );
  return rewritten && `${rewritten.path} was written again`;
}

/**
 * A view moves forward only, over committed revisions, and says what the newest of them said; no
 * note leads it (G2, G3).
 */
export function viewShowsCommittedState(
  commit: Commit,
  backend: MemoryBackend,
): string | undefined {
  for (const { before, after } of viewChanges(commit)) {
    if (after === undefined) return 'a view was deleted';
    if (after.projectedRevision <= (before?.projectedRevision ?? 0))
      return `${after.taskId} did not move`;
    const name = `revision ${after.projectedRevision} of ${after.taskId}`;
    const revision = revisionAt(backend, after.taskId, after.projectedRevision);
    if (revision === undefined) return `${name} is shown and was never committed`;
    if (revision.state !== after.state)
      return `${name} is ${revision.state}, the view ${after.state}`;
    if (after.statusAt < (before?.statusAt ?? 0))
      return `${after.taskId}: the view's time ran backwards`;
  }
  for (const { after } of runChanges(commit)) {
    const shown = viewOf(backend.peek(`tasks/${after?.taskId}`))?.projectedRevision ?? 0;
    if (after !== undefined && after.projectedRevision > shown)
      return `${after.taskId} notes more than is shown`;
  }
  return undefined;
}

/**
 * The journal has no gap and no event twice, because it grows in the commit that moves the view, by
 * just what the view counts (G3).
 */
export function journalGrowsWithTheView(
  commit: Commit,
  backend: MemoryBackend,
): string | undefined {
  const entries = commit.changes.filter(({ path }) => /^tasks\/[^/]+\/events\//.test(path));
  const views = viewChanges(commit);
  if (entries.length > 0 && views.length !== 1) return 'a journal entry came without its view';
  for (const { before, after } of views) {
    if (after === undefined) continue;
    const from = before?.lastSeq ?? 0;
    const { path, codec } = entryDoc(after.taskId, after.lastSeq);
    if (after.lastSeq === from) {
      if (entries.length > 0) return `${after.taskId} has entries that its view does not count`;
      continue;
    }
    const row = entries.length === 1 ? backend.peek(path) : undefined;
    if (row === undefined || entries[0]?.path !== path) return `${path} is missing`;
    const entry = codec.decode(row.fields, path);
    if (entry.fromSeq !== from + 1 || entry.toSeq !== after.lastSeq) return `${path} leaves a gap`;
    if (entry.revision !== after.projectedRevision)
      return `${path} is of another revision than its view`;
    if (taskFacts(backend, after.taskId) === undefined) return `${path} belongs to no run`;
  }
  return undefined;
}
