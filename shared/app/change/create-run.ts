import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { revisionOf } from '../content/publication.ts';
import { inputDoc, revisionDoc, runDoc } from '../records/documents.ts';
import { nothing, prepare } from './prepare-change.ts';
import { type Memory, newMemory, type Outcome, type RunChange } from './run-change.ts';
import { writableRun } from './writable-run.ts';

/**
 * The first change of a run: the same steps, and the row that they begin with is not stored yet.
 * Its id is this call's alone, so a row that is there when the body runs again is this very one.
 * Throws Unavailable, Contention, TooLarge.
 */
export async function createRun<S extends object, R extends object>(
  app: App,
  first: Run,
  change: RunChange<S, R>,
): Promise<Outcome<S, R>> {
  const memory: Memory<S> = newMemory(app);
  const { commitId } = memory;
  const { publication, sealed } = await prepare(app, first, change);
  return app.store.transact(async (tx) => {
    const { mine } = memory;
    if (mine !== undefined && (await tx.get(runDoc(first.taskId))) !== undefined) return mine;
    const read = change.read === undefined ? nothing<R>() : await change.read(tx, first, sealed);
    const found = { ...sealed, ...read };
    const decided = change.decide(first, app.clock.now(), found);
    if (decided === undefined) return { kind: 'unchanged', run: undefined, read };
    const next = { ...decided, commitId };
    tx.create(writableRun(next.taskId), next);
    if (publication !== undefined)
      tx.create(
        revisionDoc(next.taskId, next.revision),
        revisionOf(app, next, commitId, publication),
      );
    change.write?.(tx, next, found);
    memory.mine = { kind: 'changed', run: next, sealed };
    return memory.mine;
  });
}

/** The last change: the row goes when nothing else of the run is left. */
export async function removeRun(app: App, taskId: string): Promise<void> {
  await app.store.transact(async (tx) => {
    tx.delete(inputDoc(taskId));
    tx.delete(writableRun(taskId));
  });
}
