import { revision } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import { projected } from '../../domain/transitions.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { type PreparedPublication, revisionOf } from '../content/publication.ts';
import { inputDoc, revisionDoc, runDoc } from '../records/documents.ts';
import { committed } from './change-run.ts';
import { nothing, prepare } from './prepare-change.ts';
import { type HeldView, NOTHING_SHOWN, writeDocs } from './projection.ts';
import { type Memory, newMemory, type Outcome, type RunChange } from './run-change.ts';
import { showAtOnce, type Showing, shownRevision } from './show-at-once.ts';
import { tellOf } from './tell-of.ts';
import { writableRun } from './writable-run.ts';

export interface Creating {
  /**
   * The id follows from a tick or a request: another call may make the same run at the same time.
   * Else it is this call's alone, and a row that is there when the body runs again is its own.
   */
  readonly isDerived?: boolean;
}

/**
 * The first change of a run: the same steps, and the row that they begin with is not stored yet. A
 * run that another call made meanwhile under the same derived id is answered as unchanged. Throws
 * Unavailable, Contention, TooLarge.
 */
export async function createRun<S extends object, R extends object>(
  app: App,
  first: Run,
  change: RunChange<S, R>,
  { isDerived = false }: Creating = {},
): Promise<Outcome<S, R>> {
  const memory: Memory<S> = newMemory(app);
  const { commitId } = memory;
  const { publication, sealed, workKey } = await prepare(app, first, change);
  const keyed = workKey?.fresh === undefined ? {} : { payloadKey: workKey.fresh };
  const outcome = await app.store.transact<Outcome<S, R>>(async (tx) => {
    const { mine } = memory;
    const present = mine && (await tx.get(runDoc(first.taskId)));
    if (mine !== undefined && present !== undefined) {
      if (isDerived && !(await committed(tx, present, mine, memory)))
        return { kind: 'unchanged', run: present };
      // Of its view nothing is known for certain: an earlier try may be the one that was applied.
      return { kind: 'changed', run: mine.run, sealed: mine.sealed };
    }
    const read = change.read === undefined ? nothing<R>() : await change.read(tx, first, sealed);
    const found = { ...sealed, ...read };
    const decided = change.decide(first, app.clock.now(), found);
    if (decided === undefined) return { kind: 'unchanged', run: undefined, read };
    const begun = { ...decided, ...keyed, commitId };
    const { docs, held } =
      publication === undefined ? {} : await showing(app, tx, begun, publication, change.held);
    const next = docs === undefined ? begun : projected(begun, docs.view.projectedRevision);
    tx.create(writableRun(next.taskId), next);
    if (docs !== undefined) writeDocs(tx, docs);
    if (publication !== undefined)
      tx.create(
        revisionDoc(next.taskId, next.revision),
        revisionOf(app, next, commitId, publication),
      );
    change.write?.(tx, next, found);
    memory.mine = { kind: 'changed', run: next, sealed, ...(held && { held }) };
    return memory.mine;
  });
  if (outcome.kind === 'changed') await tellOf(app, outcome.run);
  return outcome;
}

/**
 * The first revision is shown in the same commit to a caller who reads the task next. Otherwise the
 * next commit shows it: most often that is the end of the task.
 */
async function showing(
  app: App,
  tx: Transaction,
  begun: Run,
  publication: PreparedPublication,
  held: HeldView | undefined,
): Promise<Showing> {
  if (held === undefined)
    return { held: { ...NOTHING_SHOWN, behind: [shownRevision(begun, publication)] } };
  const before = { ...begun, revision: revision(0) };
  return showAtOnce(app, tx, held, { before, next: begun, publication });
}

/** The last change: the row goes when nothing else of the run is left. */
export async function removeRun(app: App, taskId: string): Promise<void> {
  await app.store.transact(async (tx) => {
    tx.delete(inputDoc(taskId));
    tx.delete(writableRun(taskId));
  });
}
