import type { Millis } from '../../domain/brand.ts';
import { type Archived, type Run, stateOf, without } from '../../domain/run.ts';
import { isSettled } from '../../domain/status.ts';
import type { App } from '../app.ts';

/** What says how long an open run may be without a copy. */
type Intervals = Pick<App, 'agents' | 'settings'>;

/** What of a row says when its newest revision is to be archived (G20). */
export type ArchiveMarks = Pick<Run, 'archivePending' | 'archiveAt'>;

/**
 * A run that is new: in the archive within the interval, so that one which ends before that is
 * archived once.
 */
export function firstArchive(
  app: Intervals,
  { archive, agent, createdAt }: Pick<Run, 'archive' | 'agent' | 'createdAt'>,
): ArchiveMarks {
  return archive === 'off' ? {} : { archiveAt: createdAt + archiveInterval(app, agent) };
}

/**
 * The marks after a change: a state at rest is due at once, and stays due until its copy is
 * written; an open one within the interval from the first change that has no copy.
 */
export function archiveMarks(app: Intervals, before: Run, next: Run): ArchiveMarks {
  if (next.archive === 'off' || next.status === 'purging') return {};
  const changed = next.revision > before.revision || next.archive !== before.archive;
  if (isSettled(stateOf(next)))
    return changed || next.archivePending === true ? { archivePending: true } : {};
  if (next.archiveAt !== undefined) return { archiveAt: next.archiveAt };
  return changed ? { archiveAt: next.statusAt + archiveInterval(app, next.agent) } : {};
}

/** A copy is to be written now. Of an open run that it does not know, this version writes none. */
export function isArchiveDue({ archiveAt, archivePending, status }: Run, now: Millis): boolean {
  const due = archiveAt !== undefined && archiveAt <= now && status !== 'unknown';
  return due || archivePending === true;
}

/**
 * The row that knows of its newest copy. What it has come to since has a copy to come of its own.
 */
export function withCopy(app: Intervals & Pick<App, 'clock'>, run: Run, archived: Archived): Run {
  const { agent, archiveAt, archivePending, revision } = run;
  const rest = without(run, 'archivePending', 'archiveAt') as Run;
  if (archived.revision >= revision) return { ...rest, archived };
  return {
    ...rest,
    archived,
    ...(archivePending && { archivePending }),
    ...(archiveAt !== undefined && { archiveAt: app.clock.now() + archiveInterval(app, agent) }),
  };
}

function archiveInterval(app: Intervals, agent: Run['agent']): Millis {
  return app.agents.get(agent)?.publication?.archiveInterval ?? app.settings.archiveInterval;
}
