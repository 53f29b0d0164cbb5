import {
  discardable,
  discarded,
  liveOf,
  type PackRef,
  pruned,
} from '../../domain/context-files.ts';
import type { Run } from '../../domain/run.ts';
import { Contention } from '../../ports/faults.ts';
import { PackGone } from '../../ports/workspaces.ts';
import type { App } from '../app.ts';
import { filesDoc } from '../records/files-document.ts';
import { publishRefs } from './publish-files.ts';
import { prefixOf, repositoryOf } from './repository.ts';

const ROUNDS = 8;

/**
 * Removes from the bucket what only removed tasks of the context had: packs are copied without it,
 * the row lists the copies, and what they replaced is deleted. Rows are the roots, never the
 * parents of a commit: a task that stays keeps its files when the one before it goes. Safe to
 * repeat after a crash at any point. What another task of the context still has is that task's, and
 * stays.
 */
export async function pruneFiles(app: App, run: Run): Promise<void> {
  const { files } = run;
  if (files === undefined) return;
  await copyPacks(app, run, files.repository);
  await discardPacks(app, run);
  await sweepPacks(app, run);
  if (files.form !== 'archive') await publishRefs(app, run, files.repository);
}

async function copyPacks(app: App, run: Run, repository: string): Promise<void> {
  const doc = filesDoc(run.scope, run.contextId);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const files = await app.store.get(doc);
    if (files?.repository !== repository) return app.workspaces.remove(prefixOf(run, repository));
    // Done already, together with another task.
    if (files.pruneAt === null) return;
    const copied = await app.workspaces
      .prune(repositoryOf(run, files), liveOf(files))
      .catch((error: unknown) => {
        if (error instanceof PackGone) return undefined;
        throw error;
      });
    if (copied === undefined) continue;
    const committed = await app.store.transact(async (tx) => {
      const current = await tx.get(doc);
      // Our own commit, whose answer was lost, has moved the version, too: the next round finds
      // nothing left to do.
      if (current?.repository !== repository || current.version !== files.version) return false;
      tx.set(doc, pruned(current, copied));
      return true;
    });
    if (committed) return;
    await discardUnlisted(app, run, repository, copied.added);
  }
  throw new Contention(ROUNDS);
}

/**
 * Copies whose commit was too late: no row names them, and a later purge would not look there. One
 * that was applied after all has listed them.
 */
async function discardUnlisted(
  app: App,
  run: Run,
  repository: string,
  added: readonly PackRef[],
): Promise<void> {
  const current = await app.store.get(filesDoc(run.scope, run.contextId));
  const listed = new Set(current?.packs.map(({ name }) => name));
  const names = added.flatMap(({ name }) => (listed.has(name) ? [] : [name]));
  if (names.length > 0) await app.workspaces.discard(prefixOf(run, repository), names);
}

/** Deletes what a crash, a lost claim or an earlier copy left and no row names. */
export async function sweepPacks(app: App, run: Run): Promise<void> {
  const files = await app.store.get(filesDoc(run.scope, run.contextId));
  if (files === undefined || files.repository !== run.files?.repository) return;
  const doomed = files.doomed.flatMap(({ names }) => names);
  const keep = [...files.packs.map(({ name }) => name), ...doomed];
  const before = app.clock.now() - app.settings.filesOrphans;
  await app.workspaces.sweep(repositoryOf(run, files), keep, before);
}

/** Deletes replaced packs whose time has come; first the objects, so that a crash forgets none. */
export async function discardPacks(app: App, run: Run): Promise<void> {
  const doc = filesDoc(run.scope, run.contextId);
  const files = await app.store.get(doc);
  if (files === undefined || files.repository !== run.files?.repository) return;
  const names = discardable(files, app.clock.now());
  if (names.length === 0) return;
  await app.workspaces.discard(prefixOf(run, files.repository), names);
  await app.store.transact(async (tx) => {
    const current = await tx.get(doc);
    if (current?.repository !== files.repository) return;
    const next = discarded(current, names);
    if (next !== current) tx.set(doc, next);
  });
}
