import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { App } from '../../shared/app/app.ts';
import { refsOf, repositoryOf } from '../../shared/app/files/repository.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { filesDoc } from '../../shared/app/records/files-document.ts';
import { type ContextFiles, startOf } from '../../shared/domain/context-files.ts';
import type { FilesCommit } from '../../shared/domain/files.ts';
import { packObjects } from '../../shared/files/bucket.ts';
import { gitFiles } from '../../shared/files/publish.ts';
import { type FolderNode, walk } from '../../shared/files/walk.ts';
import { wipe } from '../../shared/files/wipe.ts';
import { createWorkspaces } from '../../shared/files/workspaces.ts';
import { PackGone, type Repository } from '../../shared/ports/workspaces.ts';
import { BadConfiguration } from '../settings.ts';

export const FILES_HELP = `Usage: holdfast files list <task>
       holdfast files export <task> <folder> [--repository]

Shows the files of a task as its last commit left them, or as it found them
before its first.

  list           prints a line for each file: its mode as git has it, its size
                 in bytes, its path
  export         writes the files into <folder>, which must not be there yet
  --repository   writes the git repository of the task's context instead; then,
                 for example, git -C <folder> log main, or
                 git -C <folder> show refs/tasks/<task>:<path>

Reads the bucket and the rows, and changes nothing.
`;

/** Packs may be gathered while they are read; more often than this something is wrong. */
const ROUNDS = 8;
const UNLIMITED = {
  count: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  fileBytes: Number.MAX_SAFE_INTEGER,
  depth: Number.MAX_SAFE_INTEGER,
};

export interface FilesArguments {
  readonly verb: string | undefined;
  readonly task: string | undefined;
  readonly folder: string | undefined;
  readonly repository: boolean;
}

export type Told =
  | { readonly kind: 'done'; readonly lines: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string };

interface Found {
  readonly files: ContextFiles;
  readonly repository: Repository;
  /** Undefined: the task has no files yet, and its context had none. */
  readonly commit: FilesCommit | undefined;
}

/** Throws BadConfiguration. */
export async function filesCommand(
  app: App,
  { verb, task, folder, repository }: FilesArguments,
): Promise<Told> {
  if (verb === 'list' && task !== undefined) {
    return withScratch(tmpdir(), (scratch) =>
      repeated(app, task, async (found) => linesOf(await walked(app, found, scratch))),
    );
  }
  if (verb !== 'export' || task === undefined || folder === undefined) {
    throw new BadConfiguration('files needs: list <task>, or export <task> <folder>');
  }
  const place = resolve(folder);
  if (existsSync(place)) return { kind: 'refused', why: `${folder} is there already` };
  mkdirSync(dirname(place), { recursive: true });
  // On the same disk: what is complete gets its name by a rename.
  return withScratch(dirname(place), (scratch) =>
    repeated(app, task, async (found) => {
      const made = repository
        ? await repositoryIn(app, found, join(scratch, 'repository'))
        : await folderOf(app, found, join(scratch, 'workspaces'));
      renameSync(made, place);
      const { count = 0, bytes = 0 } = found.commit ?? {};
      return [
        repository
          ? `${folder}: ${found.files.tasks.length} tasks`
          : `${folder}: ${count} files, ${bytes} bytes`,
      ];
    }),
  );
}

async function withScratch(
  beside: string,
  work: (scratch: string) => Promise<Told>,
): Promise<Told> {
  const scratch = mkdtempSync(join(beside, '.holdfast-files-'));
  try {
    return await work(scratch);
  } finally {
    wipe(scratch);
  }
}

async function repeated(
  app: App,
  task: string,
  work: (found: Found) => Promise<readonly string[]>,
): Promise<Told> {
  for (let round = 1; ; round += 1) {
    const found = await find(app, task);
    if (found === undefined) {
      return { kind: 'refused', why: `there is no task ${task} with files here` };
    }
    try {
      return { kind: 'done', lines: await work(found) };
    } catch (error) {
      if (!(error instanceof PackGone) || round === ROUNDS) throw error;
    }
  }
}

async function find(app: App, task: string): Promise<Found | undefined> {
  const run = await app.store.get(runDoc(task));
  if (run?.files === undefined) return undefined;
  const files = await app.store.get(filesDoc(run.scope, run.contextId));
  if (files?.repository !== run.files.repository) return undefined;
  return { files, repository: repositoryOf(run, files), commit: startOf(files, task) };
}

async function walked(app: App, found: Found, scratch: string): Promise<FolderNode> {
  const folder = await folderOf(app, found, join(scratch, 'workspaces'));
  return (await walk(folder, UNLIMITED)).root;
}

/** A folder with the task's files, somewhere below the scratch. */
async function folderOf({ blobs, ids }: App, found: Found, scratch: string): Promise<string> {
  const workspaces = createWorkspaces({ blobs, ids, scratch, keptBytes: 0 });
  return (await workspaces.open(found.repository, found.commit, UNLIMITED)).folder;
}

function linesOf({ files, folders }: FolderNode): readonly string[] {
  return [
    ...files.map(({ mode, path, size }) => `${mode.toString(8)} ${size} ${path}`),
    ...folders.flatMap(linesOf),
  ];
}

/** Everything that git reads of the repository, as the row says it: packs first, then refs. */
async function repositoryIn(
  { blobs }: App,
  { files, repository: { packs, prefix } }: Found,
  folder: string,
): Promise<string> {
  wipe(folder);
  for (const below of ['objects/pack', 'refs/heads', 'info']) {
    mkdirSync(join(folder, below), { recursive: true });
  }
  for (const name of packs.flatMap((pack) => Object.values(packObjects(prefix, pack.name)))) {
    const object = await blobs.getStream(name);
    if (object === undefined) throw new PackGone(name);
    const file = await open(join(folder, name.slice(prefix.length + 1)), 'wx', 0o444);
    try {
      for await (const piece of object.body) await file.write(piece);
    } finally {
      await file.close();
    }
  }
  for (const [name, text] of gitFiles(refsOf(files))) writeFileSync(join(folder, name), text);
  return folder;
}
