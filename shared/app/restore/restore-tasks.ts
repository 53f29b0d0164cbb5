import { keepsResult } from '../../domain/ceiling.ts';
import { taskId, type TaskId } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/status.ts';
import type { ArchiveSource } from '../../ports/archive-source.ts';
import { isFault, isPassing } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { presentTasks } from '../change/adopt-run.ts';
import { ceilingsOf } from '../privacy/policy.ts';
import { faultName } from '../wake-up.ts';
import { adoptTask } from './adopt-task.ts';
import { type ArchivedTask, readArchived } from './archived-task.ts';
import { problem, type Problem } from './problem.ts';
import type { Whose } from './whose.ts';

/** What a restore did so far, or would do. */
export interface RestoreCounts {
  /** Pointers that were followed. */
  readonly seen: number;
  readonly restored: number;
  /** Of the restored: were not over, and are FAILED now. */
  readonly unfinished: number;
  /** Of the restored: past their retention, so the next sweep removes them with their objects. */
  readonly overdue: number;
  /** The database has them: left as they are. */
  readonly present: number;
  /** Could not be restored; each is reported. */
  readonly problems: number;
}

export interface RestoreOptions {
  /** Reads everything and says what would be restored; changes nothing. */
  readonly dryRun: boolean;
  /** The source is this installation's own bucket: its copies stay where they are. */
  readonly own: boolean;
  /** Whose a task is of which the archive does not say it. */
  readonly otherwise?: Whose | undefined;
  readonly progress?: (counts: RestoreCounts) => void;
  readonly report?: (problem: Problem) => void;
}

const POINTER = /^tasks\/([^/]+)\/contextId\.txt$/;
const AT_ONCE = 8;

type Fate =
  | { readonly kind: 'restored'; readonly archived: ArchivedTask }
  | { readonly kind: 'present' }
  | Problem;

/**
 * Rebuilds runs, views and lists from the archive, for a database that was lost. What the database
 * has is never touched, so it can be stopped and begun again anywhere: a task that is there already
 * costs one look. Throws Unavailable, and what refuses this installation.
 */
export async function restoreTasks(
  app: App,
  source: ArchiveSource,
  options: RestoreOptions,
): Promise<RestoreCounts> {
  const { progress, report } = options;
  let counts: RestoreCounts = {
    seen: 0,
    restored: 0,
    unfinished: 0,
    overdue: 0,
    present: 0,
    problems: 0,
  };
  for await (const entries of source.entries('tasks/')) {
    const named = entries.flatMap(({ name }) => POINTER.exec(name)?.[1] ?? []);
    for (let from = 0; from < named.length; from += AT_ONCE) {
      const some = named.slice(from, from + AT_ONCE);
      for (const fate of await restoreSome(app, source, some, options)) {
        counts = counted(app, counts, fate);
        if (fate.kind === 'problem') report?.(fate);
      }
    }
    progress?.(counts);
  }
  return counts;
}

async function restoreSome(
  app: App,
  source: ArchiveSource,
  named: readonly string[],
  options: RestoreOptions,
): Promise<readonly Fate[]> {
  const ids = named.flatMap((name) => taskId(name) ?? []);
  const present = await presentTasks(app, ids);
  return Promise.all(
    named.map(async (name): Promise<Fate> => {
      const id = taskId(name);
      if (id === undefined) return problem(name, 'bad-id');
      return present.has(id) ? { kind: 'present' } : restoreOne(app, source, id, options);
    }),
  );
}

async function restoreOne(
  app: App,
  source: ArchiveSource,
  id: TaskId,
  { dryRun, otherwise, own }: RestoreOptions,
): Promise<Fate> {
  const archived = await readArchived(source, id);
  if (archived.kind === 'problem') return archived;
  const whose = archived.whose ?? otherwise;
  if (whose === undefined) return problem(id, 'no-owner');
  const ceilings = ceilingsOf(app, app.agents.get(whose.agent));
  if (!keepsResult(ceilings.answerCeiling)) return problem(id, 'not-kept');
  if (dryRun) return { kind: 'restored', archived };
  const { createdAt, generation, revision, scrubbed, task } = archived;
  const adoption = {
    task,
    whose,
    // In its own bucket it lies in clear, as it was accepted.
    ceilings: own ? { ...ceilings, archive: 'standard' as const } : ceilings,
    revision,
    scrubbed,
    createdAt: createdAt ?? task.status.at,
    keptFrom: task.status.at,
    archived: own ? { revision, generation } : undefined,
  };
  try {
    const adopted = await adoptTask(app, adoption);
    return adopted ? { kind: 'restored', archived } : { kind: 'present' };
  } catch (error) {
    // One task that can't be stored, by its size or its context, holds up none of the others.
    if (!isFault(error) || isPassing(error)) throw error;
    return problem(id, 'not-stored', faultName(error));
  }
}

function counted(app: App, counts: RestoreCounts, fate: Fate): RestoreCounts {
  const next = { ...counts, seen: counts.seen + 1 };
  if (fate.kind === 'problem') return { ...next, problems: counts.problems + 1 };
  if (fate.kind === 'present') return { ...next, present: counts.present + 1 };
  const { state, at } = fate.archived.task.status;
  const over = isTerminal(state);
  const overdue = over && at + app.settings.retention <= app.clock.now();
  return {
    ...next,
    restored: counts.restored + 1,
    unfinished: counts.unfinished + (over ? 0 : 1),
    overdue: counts.overdue + (overdue ? 1 : 0),
  };
}
