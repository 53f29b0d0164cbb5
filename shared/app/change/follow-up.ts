import type { Millis } from '../../domain/brand.ts';
import { isEnded, type Run, waitsForPerson, without } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { type ContextDoc, contextDoc } from '../records/documents.ts';
import { archiveMarks } from './archive-due.ts';
import { type ContextFiles, dropped } from '../../domain/context-files.ts';
import { filesDoc } from '../records/files-document.ts';
import type { Reads } from './run-change.ts';

/** What of the application decides what is due of a run. */
type Deciding = Pick<App, 'agents' | 'clock' | 'settings'>;

/**
 * What follows from the state that a change leads to: when it is archived, when the run may be
 * removed, and whether it still needs its input.
 */
export function followUp(app: Deciding, before: Run, next: Run): Run {
  // What follows from its status only the version that wrote it knows.
  if (next.status === 'unknown') return next;
  // Only an answer takes the place of the message; what an approval lets go on still works on it.
  const answered = isEnded(next) || next.status === 'waiting_for_input';
  return {
    ...without(next, 'archivePending', 'archiveAt'),
    ...archiveMarks(app, before, next),
    purgeAt: purgeTime(app, before, next),
    hasInput: next.hasInput && !answered,
    ...filesDue(app, before, next),
    ...(isEnded(next) && !isEnded(before) && { endedAt: next.statusAt }),
  } as Run;
}

/**
 * A wait that is over has ended its task by then: long enough for its client to learn why, no
 * longer.
 */
const WAIT_ENDED: Millis = 24 * 60 * 60 * 1_000;

function purgeTime({ settings }: Deciding, before: Run, next: Run): Run['purgeAt'] {
  const { retention, waitingRetention } = settings;
  const waits = waitsForPerson(next);
  if (!waits && !isEnded(next)) return null;
  if (next.revision === before.revision) return before.purgeAt;
  if (next.status === 'failed' && next.reason === 'WAIT_ENDED')
    return next.statusAt + Math.min(WAIT_ENDED, retention);
  return next.statusAt + (waits ? waitingRetention : retention);
}

/** A segment that was cut off may have uploaded files that no row will ever name. */
function filesDue(app: Deciding, before: Run, next: Run): Pick<Run, 'files'> {
  const { files } = next;
  if (files === undefined || before.status !== 'running') return {};
  const cutOff =
    next.attempts > before.attempts ||
    (next.repeats ?? 0) > (before.repeats ?? 0) ||
    (isEnded(next) && next.status !== 'completed');
  if (!cutOff || files.dueAt !== undefined) return {};
  return { files: { ...files, dueAt: app.clock.now() + app.settings.filesOrphans } };
}

/** The files of the context without those of a task that ends without a result. */
export async function filesOfEnded(
  tx: Reads,
  before: Run,
  next: Run,
): Promise<ContextFiles | undefined> {
  if (next.files === undefined || isEnded(before) || !isEnded(next)) return undefined;
  if (next.status === 'completed') return undefined;
  const files = await tx.get(filesDoc(next.scope, next.contextId));
  const left = files && dropped(files, [next.taskId], null);
  return left === files ? undefined : left;
}

/** The context without its task, when this change ends the task that it was busy with (G19). */
export async function freedContext(
  tx: Reads,
  before: Run,
  next: Run,
): Promise<ContextDoc | undefined> {
  // A note on a run that has ended frees nothing once more.
  if (isEnded(before) || !isEnded(next)) return undefined;
  const context = await tx.get(contextDoc(next.scope, next.contextId));
  if (context === undefined) return undefined;
  const completed = next.status === 'completed';
  return {
    ...context,
    activeTask: context.activeTask === next.taskId ? null : context.activeTask,
    // By commit order, not by clocks: the transactions of one context follow each other.
    lastCompleted: completed ? next.taskId : context.lastCompleted,
    updatedAt: next.statusAt,
  };
}
