import type { Millis } from '../../domain/brand.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { type PreparedPublication, revisionOf } from '../content/publication.ts';
import {
  type ContextDoc,
  contextDoc,
  type InputDoc,
  inputDoc,
  revisionDoc,
  runDoc,
  type ViewDoc,
  viewDoc,
} from '../records/documents.ts';

/** The next row, with what it makes public if its revision rises. */
export interface Change {
  readonly next: Run;
  readonly prepared?: PreparedPublication;
  /** The run's content is destroyed with its key, or replaced: the view as it is afterwards. */
  readonly scrub?: Scrub;
  /** The segment's message, to be kept beside a revision that holds it redacted. */
  readonly input?: InputDoc;
  /** What else is written in the same commit: it belongs to the row as it is then. Writes only. */
  readonly also?: Also;
}

export type Also = (tx: Transaction, next: Run) => void;

/** Reads what a change depends on besides its row, in its transaction and before it is decided. */
export type Prior = (tx: Transaction) => Promise<void>;

/** Undefined when the view is not as the caller saw it: then nothing changes. */
export type Scrub = (present: ViewDoc | undefined) => ViewDoc | undefined;

export type Changed = { readonly kind: 'changed'; readonly run: Run };
/** The guard said no: the run is another's, elsewhere, or gone. Nothing was written. */
export type Unchanged = { readonly kind: 'unchanged'; readonly run: Run | undefined };

/** What a change remembers from one try to the next, so that a caller who repeats it after a fault can't apply it twice. */
export interface Memory {
  readonly commitId: string;
  /** The row that the last try was about to commit. */
  mine?: Run | undefined;
}

export const newMemory = (app: App): Memory => ({ commitId: app.ids.token() });

/**
 * The one way in which a run that exists changes. `decide` is pure and says no with `undefined`. The row, the revision and the
 * context commit together; a body that runs again after it had committed finds its commit id and changes nothing (G12).
 */
export async function changeRun(
  app: App,
  taskId: string,
  decide: (run: Run, now: Millis) => Change | undefined,
  memory: Memory = newMemory(app),
  prior?: Prior,
): Promise<Changed | Unchanged> {
  const { commitId } = memory;
  return app.store.transact(async (tx) => {
    const run = await tx.get(runDoc(taskId));
    if (
      memory.mine !== undefined &&
      run !== undefined &&
      (await committed(tx, run, memory.mine, commitId))
    ) {
      return { kind: 'changed', run: memory.mine };
    }
    memory.mine = undefined;
    await prior?.(tx);
    const change = run === undefined ? undefined : decide(run, app.clock.now());
    if (run === undefined || change === undefined) return { kind: 'unchanged', run };
    const { also, input, prepared, scrub } = change;
    // A change that is more than its row must be recognised when its body runs again.
    const marked = prepared !== undefined || also !== undefined;
    const mine = settledRun(app, run, change.next, marked ? commitId : run.commitId);
    const view = scrub?.(await tx.get(viewDoc(run.taskId)));
    if (scrub !== undefined && view === undefined) return { kind: 'unchanged', run };
    // A note on a run that has ended frees nothing once more.
    const context = isEnded(run) ? undefined : await freed(tx, mine);
    memory.mine = mine;
    if (context !== undefined) tx.set(contextDoc(run.scope, run.contextId), context);
    if (view !== undefined) tx.set(viewDoc(run.taskId), view);
    if (input !== undefined) tx.set(inputDoc(run.taskId), input);
    else if (run.hasInput && !mine.hasInput) tx.delete(inputDoc(run.taskId));
    tx.set(runDoc(run.taskId), mine);
    if (prepared !== undefined) {
      const revision = revisionOf(app, mine, commitId, prepared);
      tx.create(revisionDoc(run.taskId, mine.revision), revision);
    }
    also?.(tx, mine);
    return { kind: 'changed', run: mine };
  });
}

/** What follows from the state that a change leads to: when the run may be removed, and whether it still needs its input. */
function settledRun(app: App, before: Run, next: Run, commitId: string): Run {
  // What follows from its status only the version that wrote it knows.
  if (next.status === 'unknown') return { ...next, commitId };
  const { retention, waitingRetention } = app.settings;
  const waits = next.status === 'waiting_for_input' || next.status === 'waiting_for_approval';
  const rests = waits || isEnded(next);
  // Only an answer takes the place of the message; what an approval lets go on still works on it.
  const answered = isEnded(next) || next.status === 'waiting_for_input';
  const window = waits ? waitingRetention : retention;
  return {
    ...next,
    commitId,
    purgeAt: !rests
      ? null
      : next.revision === before.revision
        ? before.purgeAt
        : next.statusAt + window,
    hasInput: next.hasInput && !answered,
  };
}

/** Was the attempt before this one applied after all? Its revision says so, also when others have committed since. */
async function committed(tx: Transaction, run: Run, mine: Run, commitId: string): Promise<boolean> {
  if (run.commitId === commitId) return true;
  if (mine.commitId !== commitId || run.revision < mine.revision) return false;
  const revision = await tx.get(revisionDoc(run.taskId, mine.revision));
  return revision?.commitId === commitId;
}

/** The context without its task, when this change ends the task that it was busy with (G19). */
async function freed(tx: Transaction, run: Run): Promise<ContextDoc | undefined> {
  if (!isEnded(run)) return undefined;
  const context = await tx.get(contextDoc(run.scope, run.contextId));
  if (context === undefined) return undefined;
  const completed = run.status === 'completed';
  return {
    ...context,
    activeTask: context.activeTask === run.taskId ? null : context.activeTask,
    // By commit order, not by clocks: the transactions of one context follow each other.
    lastCompleted: completed ? run.taskId : context.lastCompleted,
    completions: context.completions + (completed ? 1 : 0),
    updatedAt: run.statusAt,
  };
}
