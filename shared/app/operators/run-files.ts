import { type ContextFiles, filesOf, headOf, startOf } from '../../domain/context-files.ts';
import type {
  Look,
  Repository,
  SeenCommit,
  SeenContent,
  Workspaces,
} from '../../ports/workspaces.ts';
import { PackGone } from '../../ports/workspaces.ts';
import type { App } from '../app.ts';
import { repositoryOf } from '../files/repository.ts';
import { filesDoc } from '../records/files-document.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Rights } from './operator-rights.ts';
import { runFor } from './seen-run.ts';

/**
 * Which files of a run: what it left or found, what its context goes on from, or what was there
 * before the run's own commit.
 */
export const FILES_OF = ['run', 'context', 'before'] as const;
export type FilesOf = (typeof FILES_OF)[number];

export interface FilesAsked {
  readonly run: string;
  readonly of: FilesOf;
}

/** `own`: the run has committed them; else it began with them. */
export interface RunFiles {
  readonly kind: 'files';
  readonly look: Look | undefined;
  readonly own: boolean;
}

export interface RunCommit extends SeenCommit {
  /** The task that made it. */
  readonly task: string;
  readonly count: number;
  readonly bytes: number;
  /** It overlapped with another task's changes, and stands beside the context's files. */
  readonly branch: boolean;
  /** The context goes on from it. */
  readonly head: boolean;
}

/** Packs may be gathered while they are read; more often than this something is wrong. */
const ROUNDS = 8;

/** The files of a run that are kept, and what it changed; with the right `view`. */
export async function runFiles(
  app: App,
  rights: Rights,
  { of, run }: FilesAsked,
): Promise<RunFiles | OperatorRefused> {
  return over(app, rights, run, async ({ files, repository, task }, workspaces) => {
    const id = await commitOf(files, task, of, repository, workspaces);
    const look = id === undefined ? undefined : await workspaces.look(repository, id);
    const known = filesOf(files, task)?.own;
    return { kind: 'files', look, own: known !== null && known !== undefined };
  });
}

/** One file of them; undefined where there is none of that path. */
export async function runFile(
  app: App,
  rights: Rights,
  { of, path, run }: FilesAsked & { readonly path: string },
): Promise<SeenContent | OperatorRefused> {
  const found = await over(app, rights, run, async ({ files, repository, task }, workspaces) => {
    const id = await commitOf(files, task, of, repository, workspaces);
    return id === undefined ? undefined : workspaces.read(repository, id, path);
  });
  return found ?? notAllowed('FILE_NOT_FOUND', 'file not found');
}

/** The commits of the run's context that are kept, the newest first. */
export async function runCommits(
  app: App,
  rights: Rights,
  run: string,
): Promise<{ readonly kind: 'commits'; readonly commits: readonly RunCommit[] } | OperatorRefused> {
  return over(app, rights, run, async ({ files, repository }, workspaces) => {
    const head = headOf(files)?.commit.id;
    const made = files.tasks
      .flatMap(({ branch, merged, order, own, task }) =>
        [merged, own].flatMap((each) =>
          each === null ? [] : [{ branch, order, task, ...each.commit }],
        ),
      )
      .toSorted((a, b) => (b.order || Infinity) - (a.order || Infinity));
    const said = await workspaces.history(
      repository,
      made.map(({ id }) => id),
    );
    const byId = new Map(said.map((each) => [each.id, each]));
    const commits = made.flatMap(({ branch, bytes, count, id, task }) => {
      const words = byId.get(id);
      return words === undefined
        ? []
        : [{ ...words, task, count, bytes, branch, head: id === head }];
    });
    return { kind: 'commits', commits };
  });
}

interface Found {
  readonly files: ContextFiles;
  readonly repository: Repository;
  readonly task: string;
}

/** Reads the row again where a pack was replaced meanwhile. */
async function over<T>(
  app: App,
  rights: Rights,
  id: string,
  work: (found: Found, workspaces: Workspaces) => Promise<T>,
): Promise<T | OperatorRefused> {
  for (let round = 1; ; round += 1) {
    const seen = await runFor(app, rights, id, 'view');
    if ('kind' in seen) return seen;
    const { run } = seen;
    const files =
      run.files === undefined ? undefined : await app.store.get(filesDoc(run.scope, run.contextId));
    if (files === undefined || files.repository !== run.files?.repository)
      return notAllowed('FILES_NOT_FOUND', 'the run has no files');
    const found = { files, repository: repositoryOf(run, files), task: run.taskId };
    try {
      return await work(found, app.workspaces);
    } catch (error) {
      if (!(error instanceof PackGone) || round === ROUNDS) throw error;
    }
  }
}

async function commitOf(
  files: ContextFiles,
  task: string,
  of: FilesOf,
  repository: Repository,
  workspaces: Workspaces,
): Promise<string | undefined> {
  switch (of) {
    case 'run':
      return startOf(files, task)?.id;
    case 'context':
      return headOf(files)?.commit.id;
    case 'before': {
      const [parent] = filesOf(files, task)?.own?.parents ?? [];
      if (parent === undefined) return undefined;
      const [kept] = await workspaces.history(repository, [parent]);
      return kept?.id;
    }
  }
}
