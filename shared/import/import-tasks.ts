import type { App } from '../app/app.ts';
import { presentTasks } from '../app/change/adopt-run.ts';
import { ceilingsOf, type Ceilings } from '../app/privacy/policy.ts';
import { adoptTask } from '../app/restore/adopt-task.ts';
import type { Whose } from '../app/restore/whose.ts';
import { faultName } from '../app/wake-up.ts';
import { keepsResult } from '../domain/ceiling.ts';
import { isTerminal } from '../domain/status.ts';
import type { Task } from '../domain/task.ts';
import type { ArchiveSource } from '../ports/archive-source.ts';
import type { BlobEntry } from '../ports/blobs.ts';
import { isFault, isPassing } from '../ports/faults.ts';
import { importProblem, type ImportProblem } from './import-problem.ts';
import { importWorkspace, letGo, type WorkspaceCheck } from './import-workspace.ts';
import { readOldTask } from './old-task.ts';

/** What an import did so far, or would do. */
export interface ImportCounts {
  readonly seen: number;
  readonly imported: number;
  /** Of the imported: were not over, and are FAILED here. */
  readonly unfinished: number;
  /**
   * Of the imported: their id, or that of their context, is none here, and another stands for it.
   */
  readonly renamed: number;
  /** Workspaces that were checked and taken over, and their bytes. */
  readonly workspaces: number;
  readonly bytes: number;
  /** Are here already: left as they are. */
  readonly present: number;
  /** Tasks and workspaces that could not be taken over; each is reported. */
  readonly problems: number;
}

export interface ImportOptions {
  /** Reads and checks everything and says what would be imported; changes nothing. */
  readonly dryRun: boolean;
  /** Whose the tasks are from now on. */
  readonly whose: Whose;
  readonly check: WorkspaceCheck;
  readonly progress?: (counts: ImportCounts) => void;
  readonly report?: (problem: ImportProblem) => void;
}

const OLD = /^tasks\/([^/]+)\/(metadata|workspace)\.tar\.gz$/;
const AT_ONCE = 4;
const NOTHING: ImportCounts = {
  seen: 0,
  imported: 0,
  unfinished: 0,
  renamed: 0,
  workspaces: 0,
  bytes: 0,
  present: 0,
  problems: 0,
};

/**
 * Takes tasks over from the flat layout, `tasks/<taskId>/{metadata,workspace}.tar.gz`: as rows, and
 * into the archive of this installation. The source is only read. What is here already is left as
 * it is, so it can be stopped and begun again anywhere. Throws Unavailable, and what refuses this
 * installation.
 */
export async function importTasks(
  app: App,
  source: ArchiveSource,
  options: ImportOptions,
): Promise<ImportCounts> {
  let counts = NOTHING;
  for await (const entries of source.entries('tasks/')) {
    const { tasks, alone } = await namesIn(source, entries);
    for (const name of alone) {
      options.report?.(importProblem(name, 'metadata-missing'));
      counts = sum(counts, { seen: 1, problems: 1 });
    }
    for (let from = 0; from < tasks.length; from += AT_ONCE) {
      const some = tasks.slice(from, from + AT_ONCE);
      const added = await Promise.all(some.map((entry) => importOne(app, source, entry, options)));
      for (const more of added) counts = sum(counts, more);
    }
    options.progress?.(counts);
  }
  return counts;
}

interface OldEntry extends Pick<BlobEntry, 'createdAt'> {
  readonly name: string;
}

/** The tasks of a page, and the workspaces that no metadata belongs to. */
async function namesIn(source: ArchiveSource, entries: readonly BlobEntry[]) {
  const tasks: OldEntry[] = [];
  const workspaces: string[] = [];
  for (const { createdAt, name } of entries) {
    const [, id, kind] = OLD.exec(name) ?? [];
    if (id === undefined) continue;
    if (kind === 'metadata') tasks.push({ name: id, createdAt });
    else workspaces.push(id);
  }
  const known = new Set(tasks.map(({ name }) => name));
  const alone: string[] = [];
  for (const name of workspaces) {
    if (known.has(name)) continue;
    // A page may end between the two.
    if ((await source.get(metadataName(name))) === undefined) alone.push(name);
  }
  return { tasks, alone };
}

const metadataName = (name: string): string => `tasks/${name}/metadata.tar.gz`;

async function importOne(
  app: App,
  source: ArchiveSource,
  { createdAt, name }: OldEntry,
  options: ImportOptions,
): Promise<Some> {
  const { dryRun, report, whose } = options;
  const failed = (problem: ImportProblem): Some => {
    report?.(problem);
    return { seen: 1, problems: 1 };
  };
  const packed = await source.get(metadataName(name));
  if (packed === undefined) return {};
  const task = await readOldTask(name, packed.body, Math.floor(createdAt));
  if ('problem' in task) return failed(task);
  if ((await presentTasks(app, [task.taskId])).size > 0) return { seen: 1, present: 1 };
  const ceilings = ceilingsOf(app, app.agents.get(whose.agent));
  if (!keepsResult(ceilings.answerCeiling)) return failed(importProblem(name, 'not-kept'));
  const workspace = await workspaceOf(app, source, { name, task, ceilings }, options);
  const taken = typeof workspace === 'number' ? { workspaces: 1, bytes: workspace } : {};
  const refused = typeof workspace === 'object' ? failed(workspace) : { seen: 1 };
  if (!dryRun) {
    try {
      // The workspace came first: a reader who finds the task finds it, too.
      if (!(await adoptTask(app, adoptionOf(app, task, whose, ceilings))))
        return { ...refused, present: 1 };
    } catch (error) {
      // One task that can't be stored holds up none of the others.
      if (!isFault(error) || isPassing(error)) throw error;
      return sum(failed(importProblem(name, 'not-stored', faultName(error))), {
        ...refused,
        seen: 0,
      });
    }
  }
  const { importedTaskId, importedContextId } = task.metadata ?? {};
  return {
    ...refused,
    ...taken,
    imported: 1,
    unfinished: isTerminal(task.status.state) ? 0 : 1,
    renamed: importedTaskId === undefined && importedContextId === undefined ? 0 : 1,
  };
}

interface Old {
  readonly name: string;
  readonly task: Task;
  readonly ceilings: Ceilings;
}

/** Files lie in clear, so they are kept only where all that is kept of the task does. */
async function workspaceOf(
  app: App,
  source: ArchiveSource,
  { ceilings, name, task }: Old,
  { check, dryRun }: ImportOptions,
): Promise<number | ImportProblem | undefined> {
  if (ceilings.archive === 'standard' && ceilings.answerCeiling === 'full')
    return importWorkspace({ source, blobs: app.blobs, check, dryRun }, name, task);
  const found = await source.getStream(`tasks/${name}/workspace.tar.gz`);
  if (found === undefined) return undefined;
  await letGo(found.body);
  return importProblem(name, 'workspace-not-kept');
}

function adoptionOf(app: App, task: Task, whose: Whose, ceilings: Ceilings) {
  return {
    task,
    whose,
    ceilings,
    revision: 1,
    scrubbed: 0,
    createdAt: task.status.at,
    // The old layout keeps tasks for ever: here they are new.
    keptFrom: app.clock.now(),
    archived: undefined,
  };
}

type Some = Partial<ImportCounts>;

function sum<C extends Some>(counts: C, more: Some): C {
  const next: Record<string, number> = { ...counts };
  for (const [name, count] of Object.entries(more)) next[name] = (next[name] ?? 0) + count;
  return next as C;
}
