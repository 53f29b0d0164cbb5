import { dueAt as filesDue } from '../../domain/files.ts';
import type { App } from '../app.ts';
import { tidyFiles } from '../files/tidy-files.ts';
import { runDoc } from '../records/documents.ts';
import { changeRun } from './change-run.ts';

/** Tidies the repository of a run's context when its row says that something there is due. */
export async function tidyRun(app: App, taskId: string): Promise<void> {
  const run = await app.store.get(runDoc(taskId));
  const dueAt = run?.files?.dueAt;
  if (run === undefined || dueAt === undefined || dueAt > app.clock.now()) return;
  // What is due of it then is its purge.
  if (run.status === 'purging') return;
  const again = await tidyFiles(app, run);
  await changeRun(app, taskId, {
    decide(current) {
      const { files } = current;
      if (files?.dueAt !== dueAt || current.status === 'purging') return undefined;
      return { ...current, files: filesDue(files, again) };
    },
  });
}
