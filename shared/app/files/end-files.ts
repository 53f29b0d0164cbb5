import { barred, type ContextFiles, dropped, filesOf } from '../../domain/context-files.ts';
import type { Run } from '../../domain/run.ts';
import { Contention } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { filesDoc } from '../records/files-document.ts';
import { pruneFiles } from './prune-files.ts';
import { workspaceName } from './repository.ts';

const ROUNDS = 8;

/**
 * Ends the files of a task that may not be kept any more (G7), and those of later tasks that have
 * them: anything milder would leave the content under another task's name. The context goes
 * on from the newest task without them. A task at work with them can't complete: it fails when it
 * would commit.
 */
export async function endFiles(app: App, run: Run): Promise<void> {
  const { files: own } = run;
  if (own === undefined) return;
  const doc = filesDoc(run.scope, run.contextId);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const files = await app.store.get(doc);
    if (files?.repository !== own.repository) break;
    const heirs = heirsOf(files, run.taskId);
    const ended = [run.taskId, ...heirs.ended];
    for (const task of ended) await app.blobs.delete(workspaceName(run.contextId, task));
    const committed = await app.store.transact(async (tx) => {
      const current = await tx.get(doc);
      if (current?.version !== files.version) return false;
      tx.set(doc, barred(dropped(current, ended, 0), heirs.active));
      return true;
    });
    if (!committed) continue;
    app.log.write('warning', 'files ended', {
      task: run.taskId,
      heirs: heirs.ended.length,
      atWork: heirs.active.length,
    });
    return pruneFiles(app, run);
  }
  if ((await app.store.get(doc))?.repository === own.repository) throw new Contention(ROUNDS);
  await pruneFiles(app, run);
}

interface Heirs {
  readonly ended: readonly string[];
  readonly active: readonly string[];
}

/** Later tasks, which have what this one left. */
function heirsOf(files: ContextFiles, task: string): Heirs {
  const from = filesOf(files, task)?.order ?? 0;
  if (from === 0) return { ended: [], active: [] };
  const later = files.tasks.filter(({ order, base }) =>
    order === 0 ? (base?.order ?? 0) >= from : order > from,
  );
  const named = (active: boolean): readonly string[] =>
    later.filter(({ order }) => (order === 0) === active).map((each) => each.task);
  return { ended: named(false), active: named(true) };
}
