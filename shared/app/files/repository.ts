import { type ContextFiles, headOf, type Descended, liveOf } from '../../domain/context-files.ts';
import type { Run } from '../../domain/run.ts';
import type { Refs, Repository } from '../../ports/workspaces.ts';

type InContext = Pick<Run, 'contextId'>;

/** Both ids are checked against their grammar long before (G21). */
export const prefixOf = ({ contextId }: InContext, repository: string): string =>
  `contexts/${contextId}/${repository}.git`;

export const repositoryOf = (run: InContext, files: ContextFiles): Repository => ({
  prefix: prefixOf(run, files.repository),
  packs: files.packs,
});

/** The archive of a task's files: beside its `task.json`. */
export const workspaceName = (contextId: string, taskId: string): string =>
  `contexts/${contextId}/${taskId}/workspace.tar.gz`;

/** What people's git finds in a copy: the context's files, and those of each task. */
export function refsOf(files: ContextFiles): Refs {
  const done = files.tasks.filter(({ order }) => order > 0);
  const named = (tasks: typeof done): ReadonlyMap<string, string> =>
    new Map(tasks.flatMap(({ own, task }) => (own === null ? [] : [[task, own.commit.id]])));
  const live = new Set(liveOf(files).map(({ id }) => id));
  const commits = done.flatMap(({ merged, own }): readonly (Descended | null)[] => [own, merged]);
  const shallow = commits.flatMap((each) =>
    each === null || each.parents.every((parent) => live.has(parent)) ? [] : [each.commit.id],
  );
  return {
    main: headOf(files)?.commit.id,
    tasks: named(done),
    branches: named(done.filter(({ branch }) => branch)),
    shallow: [...new Set(shallow)],
    version: files.version,
  };
}
