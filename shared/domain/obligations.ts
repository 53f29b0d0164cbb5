import type { Millis } from './brand.ts';
import type { Run } from './run.ts';

export type ObligationKind =
  | 'run'
  | 'check-lease'
  | 'deadline'
  | 'project'
  | 'purge'
  /** Poll the remote task, or search for it. */
  | 'poll'
  /** The remote's time is over: the run goes on without its result (G17). */
  | 'dependency-deadline'
  /** Cancel a remote task that no run waits for. */
  | 'cancel-remote'
  /** Destroy what was said in its steps. */
  | 'trail'
  /** Tidy the repository of its context's files. */
  | 'files'
  /** Tell the webhooks of its task what was shown. */
  | 'push';

/** Something that must be in flight for a row in this state, and when it is due. */
export interface Obligation {
  readonly kind: ObligationKind;
  readonly at: Millis;
}

/**
 * Derived from the row, never remembered elsewhere (G24): an active run has at least one
 * obligation, unless it waits for a person and everything it made public is projected.
 */
export function obligations(run: Run): readonly Obligation[] {
  const due: Obligation[] = [];
  // What only its files reached is removed together with that of other tasks.
  if (run.status === 'purging') return [{ kind: 'purge', at: run.files?.dueAt ?? run.statusAt }];
  if (run.projectedRevision < run.revision || run.scrubPending || run.archivePending)
    due.push({ kind: 'project', at: run.statusAt });
  else if (run.archiveAt !== undefined && run.status !== 'unknown')
    due.push({ kind: 'project', at: run.archiveAt });
  const { projectedRevision, webhooks } = run;
  if (webhooks !== undefined && webhooks.told < projectedRevision)
    due.push({ kind: 'push', at: run.statusAt });
  // Only the version that wrote it knows what else it needs.
  if (run.status === 'unknown') return due;
  if (run.purgeAt !== null) due.push({ kind: 'purge', at: run.purgeAt });
  const fades = run.trail?.until;
  // With the run goes its trail.
  if (fades !== undefined && (run.purgeAt === null || fades < run.purgeAt))
    due.push({ kind: 'trail', at: fades });
  if (run.files?.dueAt !== undefined) due.push({ kind: 'files', at: run.files.dueAt });
  for (const { at } of run.orphans ?? []) due.push({ kind: 'cancel-remote', at });
  switch (run.status) {
    case 'queued':
      due.push({ kind: 'run', at: run.notBefore }, { kind: 'deadline', at: run.deadlineAt });
      break;
    case 'running':
      due.push(
        { kind: 'check-lease', at: run.claim.until },
        { kind: 'deadline', at: run.deadlineAt },
      );
      break;
    case 'waiting_for_dependency':
      due.push(
        { kind: 'poll', at: run.dependency.nextPollAt },
        { kind: 'dependency-deadline', at: run.dependency.deadlineAt },
        { kind: 'deadline', at: run.deadlineAt },
      );
      break;
    case 'waiting_for_input':
    case 'waiting_for_approval':
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'rejected':
      break;
    default:
      run satisfies never;
  }
  return due;
}

/** The earliest obligation, or null when nothing is due: what the sweeper's index holds. */
export function dueAt(run: Run): Millis | null {
  const times = obligations(run).map((obligation) => obligation.at);
  return times.length === 0 ? null : Math.min(...times);
}

/** The obligations of a row whose time has come. */
export function dueNow(run: Run, now: Millis): readonly Obligation[] {
  return obligations(run).filter((obligation) => obligation.at <= now);
}

/**
 * How often a wake-up that is still due should have been repeated by now: after one span, two, four
 * and eight of them, then each time ten more have passed. Known from the row and the time alone, so
 * two sweepers agree.
 */
export function repeatsDue(at: Millis, now: Millis, span: Millis): number {
  const spans = (now - at) / span;
  if (spans < 1) return 0;
  return spans < 8 ? 1 + Math.floor(Math.log2(spans)) : 4 + Math.floor((spans - 8) / 10);
}
