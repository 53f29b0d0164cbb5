import type { Millis } from '../../domain/brand.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import { projected } from '../../domain/transitions.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { type SealedAction, withOperatorAction } from '../content/operator-actions.ts';
import { revisionOf } from '../content/publication.ts';
import { withTrail } from '../content/trail-key.ts';
import { contextDoc, entryDoc, inputDoc, revisionDoc, runDoc } from '../records/documents.ts';
import { filesDoc } from '../records/files-document.ts';
import { filesOfEnded, followUp, freedContext } from './follow-up.ts';
import { fits, nothing, prepare, type Ready } from './prepare-change.ts';
import {
  type Changed,
  type Memory,
  newMemory,
  type Outcome,
  type RunChange,
} from './run-change.ts';
import { writeDocs } from './projection.ts';
import { showAtOnce } from './show-at-once.ts';
import { tellOf } from './tell-of.ts';
import { writableRun } from './writable-run.ts';

/**
 * The one way in which a run that exists changes. What it publishes is prepared for the run's
 * answer ceiling before the transaction, and committed only under that ceiling (G5); if it was
 * tightened meanwhile, all is prepared anew. The row, the revision and the context commit together;
 * a body that runs again after it had committed finds its commit id and changes nothing (G12).
 * `known` is the run as the caller has it, or its id where nothing is sealed. Throws Unreadable,
 * Unavailable, Contention, TooLarge.
 */
export async function changeRun<S extends object, R extends object>(
  app: App,
  known: Run | string,
  change: RunChange<S, R>,
): Promise<Outcome<S, R>> {
  const taskId = typeof known === 'string' ? known : known.taskId;
  const memory = change.memory ?? newMemory<S>(app);
  for (let run = typeof known === 'string' ? undefined : known; ; ) {
    const ready = await prepare(app, run, change);
    const outcome = await app.store.transact((tx) =>
      attempt(app, tx, { taskId, change, ready, memory }),
    );
    if (outcome.kind !== 'moved') {
      if (outcome.kind === 'changed' && change.publish !== undefined)
        await tellOf(app, outcome.run);
      return outcome;
    }
    run = outcome.run;
  }
}

/** One run of a transaction's body. */
interface Attempt<S extends object, R extends object> {
  readonly taskId: string;
  readonly change: RunChange<S, R>;
  readonly ready: Ready<S>;
  readonly memory: Memory<S>;
}

/** Sealed for keys or a ceiling that the row does not have any more: nothing was written. */
interface Moved {
  readonly kind: 'moved';
  readonly run: Run;
}

async function attempt<S extends object, R extends object>(
  app: App,
  tx: Transaction,
  { taskId, change, ready, memory }: Attempt<S, R>,
): Promise<Outcome<S, R> | Moved> {
  const run = await tx.get(runDoc(taskId));
  if (run === undefined) return { kind: 'unchanged', run };
  const { mine } = memory;
  if (mine !== undefined && (await committed(tx, run, mine, memory))) {
    // An earlier try, which was a moment earlier, may be the one that was applied: of the view
    // nothing is known for certain.
    return {
      kind: 'changed',
      run: run.commitId === memory.commitId ? run : mine.run,
      sealed: mine.sealed,
    };
  }
  const { sealed, publication, runKey, workKey } = ready;
  const read = change.read === undefined ? nothing<R>() : await change.read(tx, run, sealed);
  const found = { ...sealed, ...read };
  const now = app.clock.now();
  const decided = withAct(change.decide(run, now, found), ready.act, now);
  if (decided === undefined) return { kind: 'unchanged', run, read };
  if (!fits(run, ready) || change.stale?.(found) === true) return { kind: 'moved', run };

  const published = decided.revision === run.revision ? undefined : publication;
  // A change that is more than its row must be recognised when its body runs again.
  const noted = ready.audit !== undefined;
  const marked = published !== undefined || change.write !== undefined || noted;
  const marks = marked ? marksOf(run, memory) : { commitId: run.commitId };
  // A run that has ended works with nothing any more; what is kept of that is its trail.
  const payloadKey = isEnded(decided) ? undefined : workKey?.fresh;
  const keyed = payloadKey === undefined ? decided : { ...decided, payloadKey };
  const trailed = withTrail(app, run, keyed, { runKey, last: change.last });
  const followed: Run = { ...followUp(app, run, trailed), ...marks };
  const context = await freedContext(tx, run, followed);
  const files = await filesOfEnded(tx, run, followed);
  const { docs, held } = published
    ? await showAtOnce(app, tx, change.held, {
        before: run,
        next: followed,
        publication: published,
      })
    : { held: change.held };
  const next = docs === undefined ? followed : projected(followed, docs.view.projectedRevision);

  tx.set(writableRun(taskId), next);
  if (docs !== undefined) writeDocs(tx, docs);
  if (context !== undefined) tx.set(contextDoc(run.scope, run.contextId), context);
  if (files !== undefined) tx.set(filesDoc(run.scope, run.contextId), files);
  if (run.hasInput && !next.hasInput) tx.delete(inputDoc(taskId));
  if (published !== undefined && docs?.entry?.own === undefined)
    tx.create(revisionDoc(taskId, next.revision), revisionOf(app, next, marks.commitId, published));
  change.write?.(tx, next, found);
  ready.audit?.(tx, { run: next, outcome: change.audit?.outcome ?? next.status });
  memory.mine = { kind: 'changed', run: next, sealed, ...(held && { held }) };
  return memory.mine;
}

const withAct = (next: Run | undefined, act: SealedAction | undefined, now: Millis) =>
  next && withOperatorAction(next, act, now);

/** So many others may come between a commit whose answer was lost and the look for it. */
const REMEMBERED = 4;

function marksOf(run: Run, { commitId }: Memory): Pick<Run, 'commitId' | 'earlierCommits'> {
  const before = [run.commitId, ...(run.earlierCommits ?? [])];
  return { commitId, earlierCommits: before.slice(0, REMEMBERED) };
}

/**
 * Was the attempt before this one applied after all? Its revision says so, also when others have
 * committed since.
 */
export async function committed(
  tx: Transaction,
  run: Run,
  { held, run: mine }: Changed,
  { commitId }: Memory,
): Promise<boolean> {
  const { taskId } = mine;
  if (run.commitId === commitId || run.earlierCommits?.includes(commitId) === true) return true;
  if (mine.commitId !== commitId || run.revision < mine.revision) return false;
  const revision = await tx.get(revisionDoc(taskId, mine.revision));
  if (revision !== undefined) return revision.commitId === commitId;
  const entry = held?.view && (await tx.get(entryDoc(taskId, held.view.lastSeq)));
  return entry?.own?.commitId === commitId;
}
