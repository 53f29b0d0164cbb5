import { dueAt } from '../../../shared/domain/files.ts';
import type { Run } from '../../../shared/domain/run.ts';
import type { Commit } from '../record.ts';
import { isOneMore, OF_A_DELIVERY } from './events.ts';
import { runChanges } from './row-changes.ts';

/**
 * The fence rises by one with each claim and at no other time, and each claim has a token of its
 * own (G12).
 */
export function claimProblem(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (after === undefined) continue;
    // Accepted and claimed by one commit.
    if (before === undefined) {
      const claimed = after.status === 'running' ? 1 : 0;
      if (after.fence !== claimed)
        return `${after.taskId} begins ${after.status} with fence ${after.fence}`;
      if (claimed) commit.by?.claims.set(after.taskId, after.fence);
      continue;
    }
    const claims = before.status !== 'running' && after.status === 'running';
    if (after.fence !== before.fence + (claims ? 1 : 0)) {
      return `${after.taskId} went from fence ${before.fence} to ${after.fence} while ${before.status} -> ${after.status}`;
    }
    if (claims) commit.by?.claims.set(after.taskId, after.fence);
  }
  return undefined;
}

/** By status before and after, who may do that without holding the claim. */
const WITHOUT_A_CLAIM: { readonly [change: string]: readonly string[] } = {
  'queued -> running': ['delivery'],
  'queued -> failed': ['delivery', 'sweep'],
  'queued -> cancelled': ['client'],
  'running -> queued': ['delivery', 'sweep'],
  'running -> failed': ['delivery', 'sweep'],
  'running -> cancelled': ['client'],
  'waiting_for_dependency -> queued': ['delivery', 'operator'],
  'waiting_for_dependency -> waiting_for_dependency': ['delivery', 'operator'],
  'waiting_for_dependency -> failed': ['delivery', 'sweep'],
  'waiting_for_dependency -> cancelled': ['client'],
  'waiting_for_input -> queued': ['client', 'operator'],
  'waiting_for_input -> cancelled': ['client'],
  'waiting_for_approval -> queued': ['client', 'operator'],
  'waiting_for_approval -> cancelled': ['client'],
};

/**
 * A worker that lost its claim writes nothing (G12): under a claim only the newest fence writes to
 * a run at work, and without one only the reaper, the deadline and the client may change it. The
 * projector's note is open to all.
 */
export function onlyTheClaimantWrites(commit: Commit): string | undefined {
  for (const { before, after } of runChanges(commit)) {
    if (before === undefined || after === undefined || isNote(before, after)) continue;
    if (isDelivery(before, after, commit) || isLateOutcome(before, after, commit)) continue;
    const fence = commit.by?.claims.get(after.taskId);
    const change = `${before.status} -> ${after.status}`;
    if (before.status === 'running' && fence === before.fence) continue;
    if (before.status !== 'running' && fence === after.fence && after.status === 'running')
      continue;
    const lapsed = before.status === 'running' && after.status !== 'cancelled';
    const late = after.status === 'failed' && after.reason === 'DEADLINE_EXCEEDED';
    if (lapsed && !late && before.claim.until > after.statusAt && after.status === 'failed') {
      return `${change} of ${after.taskId} while its lease held`;
    }
    if (fence !== undefined)
      return `${change} of ${after.taskId} by fence ${fence} after fence ${before.fence}`;
    if (!WITHOUT_A_CLAIM[change]?.includes(commit.by?.kind ?? '')) {
      return `${change} of ${after.taskId} by a ${commit.by?.kind ?? 'stranger'} without a claim`;
    }
  }
  return undefined;
}

/**
 * What is noted of a run by the process that finds it out: how far it is shown and told, and what
 * is to be cancelled for it.
 */
const NOTES = [
  'projectedRevision',
  'archivePending',
  'archiveAt',
  'archived',
  'orphans',
  'webhooks',
  'commitId',
  'earlierCommits',
];

/** Of its files only when something of them is due. */
function isTidied({ files: before }: Run, { files: after }: Run): boolean {
  if (before === undefined || after === undefined) return before === after;
  return JSON.stringify(dueAt(before, 0)) === JSON.stringify(dueAt(after, 0));
}

/** An event, which comes whatever its run is at. */
function isDelivery(before: Run, after: Run, { by }: Commit): boolean {
  const from = by?.kind === 'client' || by?.kind === 'operator';
  return from && isOneMore(before, after) && isNote(before, after, [...NOTES, ...OF_A_DELIVERY]);
}

/**
 * What a remote answered to a worker that had lost the run by then: the run waits for just that
 * (G15).
 */
function isLateOutcome(before: Run, after: Run, { by, changes }: Commit): boolean {
  if (by?.kind !== 'delivery' || before.status !== 'waiting_for_dependency') return false;
  if (after.status !== 'waiting_for_dependency' && after.status !== 'queued') return false;
  const { operation, sendId } = before.dependency;
  const send = changes.find(({ path }) => path === `runs/${before.taskId}/sends/${sendId}`);
  const settled = send?.after?.fields['state'] !== send?.before?.fields['state'];
  return operation === null && settled && after.fence === before.fence;
}

/** Nothing but notes differs. */
function isNote(before: Run, after: Run, notes: readonly string[] = NOTES): boolean {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).every(([name, value]) => {
    const was = old.get(name);
    if (was === value || notes.includes(name)) return true;
    if (name === 'files') return isTidied(before, after);
    if (typeof value !== 'object') return false;
    return JSON.stringify(was) === JSON.stringify(value);
  });
}
