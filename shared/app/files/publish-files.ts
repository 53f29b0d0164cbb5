import type { Run } from '../../domain/run.ts';
import { Contention } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { filesDoc } from '../records/files-document.ts';
import { traced } from '../tracing.ts';
import { prefixOf, refsOf, repositoryOf } from './repository.ts';

/** Other tasks of the context may commit meanwhile; more often than this something is wrong. */
const ROUNDS = 8;

/**
 * Writes what readers without our code find of a completed task's files: the refs of the repository
 * (G20). Derived from rows and never read by us, so it may be repeated at any time.
 */
export async function publishFiles(app: App, run: Run): Promise<void> {
  const { files } = run;
  if (files === undefined || run.status !== 'completed') return;
  const given = () => ({ attributes: { task: run.taskId, form: files.form } });
  await traced(app, 'files', given, async () => {
    await publishRefs(app, run, files.repository);
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
