import { decisionCodec, type DecisionDoc } from '../../../shared/app/records/work-documents.ts';
import type { Row } from '../../../shared/ports/backend.ts';
import type { Commit } from '../record.ts';
import { runChanges } from './row-changes.ts';

const DECISION = /^runs\/([^/]+)\/decisions\/[^/]+$/;

const decisionOf = (row: Row | undefined): DecisionDoc | undefined =>
  row && decisionCodec.decode(row.fields, row.path);

/**
 * One decision for each pause; it is taken in, or refused, once, with the step or the pause that
 * says so (G18).
 */
export function decisionsAreUsedOnce(commit: Commit): string | undefined {
  for (const { path, before, after } of commit.changes) {
    const taskId = DECISION.exec(path)?.[1];
    if (taskId === undefined) continue;
    const [was, is] = [decisionOf(before), decisionOf(after)];
    if (is === undefined) return `${path} was deleted`;
    if (was !== undefined && was.id !== is.id) return `${path} was decided again`;
    if (was !== undefined && was.state !== 'stored') return `${path} was ${was.state} before`;
    const row = runChanges(commit).find((change) => change.after?.taskId === taskId);
    if (row?.after === undefined) return `${path} changed without its run`;
    const grown = row.after.steps - (row.before?.steps ?? 0);
    if (is.state === 'consumed' && grown !== 1) return `${path} was consumed without a step`;
    if (is.state === 'refused' && !row.after.status.startsWith('waiting_'))
      return `${path} was refused and its run is ${row.after.status}`;
  }
  return undefined;
}

/**
 * A run leaves its pause by the one decision of that pause, by the answer to its question, or for
 * good (G18).
 */
export function pausesEndByTheirDecision(commit: Commit): string | undefined {
  const created = commit.changes.filter(
    ({ path, before }) => DECISION.test(path) && before === undefined,
  );
  for (const { before, after } of runChanges(commit)) {
    if (before === undefined || after === undefined) continue;
    const decided = created.map(({ after: row }) => decisionOf(row)?.generation);
    const { taskId, status } = after;
    const goesOn = status === 'queued' || status === 'running';
    const left = before.status === 'waiting_for_approval' && goesOn;
    if (left && decided.join() !== `${before.pauseGeneration}`)
      return `${taskId} left pause ${before.pauseGeneration} by ${decided.join() || 'nothing'}`;
    const waited = left || before.status === 'waiting_for_input';
    if (decided.length > 0 && !(waited && goesOn))
      return `${taskId} was decided about while ${before.status}`;
  }
  return undefined;
}
