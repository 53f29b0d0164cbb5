import type { Millis } from '../../domain/brand.ts';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { filesDoc } from '../records/files-document.ts';
import { discardPacks, pruneFiles, sweepPacks } from './prune-files.ts';

/**
 * Deletes what is due of the files of a run's context: packs that were replaced, what a lost claim
 * or a crash left, what removed tasks had. Answers when something is due again.
 */
export async function tidyFiles(app: App, run: Run): Promise<Millis | undefined> {
  const doc = filesDoc(run.scope, run.contextId);
  const present = await app.store.get(doc);
  if (present === undefined || present.repository !== run.files?.repository) return undefined;
  const now = app.clock.now();
  if (present.pruneAt !== null && present.pruneAt <= now) await pruneFiles(app, run);
  else await discardPacks(app, run);
  await sweepPacks(app, run);
  const files = await app.store.get(doc);
  if (files?.repository !== present.repository) return undefined;
  const times = files.doomed.map(({ after }) => after);
  return times.length === 0 ? undefined : Math.min(...times);
}
