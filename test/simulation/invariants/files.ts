import { filesDoc } from '../../../shared/app/records/files-document.ts';
import {
  type ContextFiles,
  filesOf,
  headOf,
  liveOf,
} from '../../../shared/domain/context-files.ts';
import type { FilesCommit } from '../../../shared/domain/files.ts';
import { isEnded, type Run } from '../../../shared/domain/run.ts';
import { LOG, OWN } from '../file-agents.ts';
import { allRuns } from '../../../testing/rows.ts';
import type { World } from '../world.ts';

type Files = ReadonlyMap<string, string>;

interface Context {
  readonly files: ContextFiles;
  readonly prefix: string;
  readonly runs: readonly Run[];
  readonly archived: (taskId: string) => boolean;
  /** Of a commit, from the packs that the row lists; undefined: something of it is missing. */
  readonly contentOf: (commit: FilesCommit) => Files | undefined;
}

/**
 * What a row lists is there; what completed is kept, once, and what did not is nowhere (G1, G19). A
 * pack that no row lists is known to be garbage: some row says when it is looked for.
 */
export function filesAreWhole(world: World): string | undefined {
  for (const context of contextsOf(world)) {
    const wrong = holes(context) ?? ends(context) ?? content(context) ?? leftovers(world, context);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function contextsOf(world: World): readonly Context[] {
  const runs = allRuns(world.backend).filter((run) => run.files !== undefined);
  const byPath = new Map<string, Run[]>();
  for (const run of runs) {
    const { path } = filesDoc(run.scope, run.contextId);
    byPath.set(path, [...(byPath.get(path) ?? []), run]);
  }
  return [...byPath].flatMap(([path, of]) => {
    const [first] = of;
    const row = world.backend.peek(path);
    if (first === undefined || row === undefined) return [];
    const doc = filesDoc(first.scope, first.contextId);
    const files = doc.codec.decode(row.fields, path);
    const prefix = `contexts/${first.contextId}/${files.repository}.git`;
    const contentOf = (commit: FilesCommit): Files | undefined =>
      world.workspaces.contentOf({ prefix, packs: files.packs }, commit);
    const archived = (taskId: string): boolean =>
      world.blobs.objects.has(`contexts/${first.contextId}/${taskId}/workspace.tar.gz`);
    return [{ files, prefix, runs: of, contentOf, archived }];
  });
}

function holes({ contentOf, files }: Context): string | undefined {
  const broken = liveOf(files).find((commit) => contentOf(commit) === undefined);
  return broken && `commit ${broken.id} is listed, and not whole`;
}

function ends({ archived, files, runs }: Context): string | undefined {
  for (const { status, taskId, ...run } of runs) {
    const known = filesOf(files, taskId);
    if (status === 'completed' && (known?.order ?? 0) === 0)
      return `${taskId} completed, and its files are not the context's`;
    if (status === 'completed' && run.files?.form === 'both' && !archived(taskId))
      return `the files of ${taskId} are not archived`;
    if (status === 'completed' && run.files?.commit?.id !== known?.own?.commit.id)
      return `${taskId} and its context name different files`;
    if (isEnded({ status, taskId, ...run } as Run) && status !== 'completed' && known !== undefined)
      return `${taskId} is ${status}, and its files are kept`;
  }
  return undefined;
}

function content({ contentOf, files, runs }: Context): string | undefined {
  const head = headOf(files);
  const main = head && contentOf(head.commit);
  const completed = runs.filter(({ status }) => status === 'completed');
  const inOrder = completed.toSorted(
    (a, b) => (filesOf(files, a.taskId)?.order ?? 0) - (filesOf(files, b.taskId)?.order ?? 0),
  );
  for (const { agent, taskId } of inOrder) {
    const known = filesOf(files, taskId);
    const own = known?.own && contentOf(known.own.commit);
    const mine = agent === 'keeps-parallel' ? own?.get(`${OWN}/${taskId}`) : own?.get(LOG);
    if (mine?.split('\n').filter((line) => line === taskId).length !== 1)
      return `${taskId} has left ${JSON.stringify(mine)}`;
    if (agent === 'keeps-parallel' && main?.get(`${OWN}/${taskId}`) !== taskId)
      return `what ${taskId} left did not come into its context`;
  }
  const linear = inOrder.filter(({ agent }) => agent === 'keeps' || agent === 'keeps-asking');
  const log = linear.map(({ taskId }) => `${taskId}\n`).join('');
  return linear.length > 0 && main?.get(LOG) !== log
    ? `the context's log is ${JSON.stringify(main?.get(LOG))} and should be ${JSON.stringify(log)}`
    : undefined;
}

function leftovers(world: World, { files, prefix, runs }: Context): string | undefined {
  const listed = new Set([
    ...files.packs.map(({ name }) => name),
    ...files.doomed.flatMap(({ names }) => names),
  ]);
  const packs = [...world.workspaces.repositories.packs.keys()];
  const orphan = packs.find(
    (path) => path.startsWith(`${prefix}/`) && !listed.has(path.slice(prefix.length + 1)),
  );
  if (orphan !== undefined && runs.every((run) => run.files?.dueAt === undefined))
    return `no row knows of ${orphan}`;
  if (files.doomed.length > 0 && runs.every((run) => run.files?.dueAt === undefined))
    return `replaced packs of ${prefix} are never deleted`;
  const refs = world.workspaces.repositories.published.get(prefix);
  const main = headOf(files)?.commit.id;
  return refs?.main === main ? undefined : `refs of ${prefix} name ${refs?.main} for ${main}`;
}
