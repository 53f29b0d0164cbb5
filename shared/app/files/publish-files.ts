import { filesOf } from '../../domain/context-files.ts';
import type { Run } from '../../domain/run.ts';
import { Contention } from '../../ports/faults.ts';
import { PackGone } from '../../ports/workspaces.ts';
import type { App } from '../app.ts';
import { filesDoc } from '../records/files-document.ts';
import { traced } from '../tracing.ts';
import { prefixOf, refsOf, repositoryOf, workspaceName } from './repository.ts';

/** Other tasks of the context may commit meanwhile; more often than this something is wrong. */
const ROUNDS = 8;

/**
 * Writes what readers without our code find of a completed task's files, as its publication chose:
 * the refs of the repository, an archive, or both (G20). Derived from rows and never read by us, so
 * it may be repeated at any time.
 */
export async function publishFiles(app: App, run: Run): Promise<void> {
  const { files } = run;
  if (files === undefined || run.status !== 'completed') return;
  const given = () => ({ attributes: { task: run.taskId, form: files.form } });
  await traced(app, 'files', given, async () => {
    if (files.form !== 'archive') await publishRefs(app, run, files.repository);
    if (files.form !== 'git') await publishArchive(app, run);
  });
}

/** The refs as the row of the context's files has them by now. */
export async function publishRefs(app: App, run: Run, repository: string): Promise<void> {
  const doc = filesDoc(run.scope, run.contextId);
  let files = await app.store.get(doc);
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (files?.repository === repository)
      await app.workspaces.publish(repositoryOf(run, files), refsOf(files));
    const current = await app.store.get(doc);
    // Removed while its refs were written: what came after the deletion would stay for good.
    if (current?.repository !== repository) return app.workspaces.remove(prefixOf(run, repository));
    if (current.version === files?.version) return;
    files = current;
  }
  throw new Contention(ROUNDS);
}

async function publishArchive(app: App, run: Run): Promise<void> {
  const doc = filesDoc(run.scope, run.contextId);
  const object = workspaceName(run.contextId, run.taskId);
  for (let round = 1; ; round += 1) {
    const files = await app.store.get(doc);
    const own = files && filesOf(files, run.taskId)?.own;
    // Its files ended, or newer tasks took all places that there are.
    if (files === undefined || !own) return;
    try {
      await app.workspaces.archive(repositoryOf(run, files), own.commit, object);
    } catch (error) {
      if (!(error instanceof PackGone) || round === ROUNDS) throw error;
      continue;
    }
    const current = await app.store.get(doc);
    // They ended while they were written.
    if (!(current && filesOf(current, run.taskId)?.own)) await app.blobs.delete(object);
    return;
  }
}
