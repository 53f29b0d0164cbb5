import type { StoredItem } from '../../domain/item.ts';
import type { StoredPart } from '../../domain/message.ts';
import type { Run } from '../../domain/run.ts';
import { emptySnapshot } from '../../domain/task.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { itemToJson, pack } from '../content/content.ts';
import { unsealRevision } from '../content/publication.ts';
import { type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import { unsealSnapshot, packSnapshot } from '../content/snapshot.ts';
import {
  type RevisionDoc,
  revisionDoc,
  runDoc,
  type ViewDoc,
  viewDoc,
} from '../records/documents.ts';
import { noteProjection } from './note-projection.ts';
import {
  type HeldView,
  project,
  type ProjectionDocs,
  projectionDocs,
  writeDocs,
  type ShownRevision,
} from './projection.ts';
import { projected } from '../../domain/transitions.ts';
import { tellOf } from './tell-of.ts';
import { traced } from '../tracing.ts';

/**
 * So many revisions at most become one journal entry; a projector that is far behind takes several.
 */
const BATCH = 50;

/**
 * Writes the view and the journal from committed revisions (G2, G3). Idempotent: the view says how
 * far it is, and it moves only in the transaction that also appends the journal entry, so a
 * revision's events appear once, whichever process projects and however often. Nothing here runs a
 * model or a tool. Returns the view, or undefined when there is no such run. A caller that has just
 * committed the run hands it in, which saves a read; what others commit after it, they have
 * projected.
 */
export async function projectRun(
  app: App,
  taskId: string,
  committed?: Run,
): Promise<ViewDoc | undefined> {
  return (await projectHeld(app, taskId, committed))?.view;
}

/**
 * The same for a caller who will write the next view: what is known of this one, where this call
 * has made it.
 */
export function projectHeld(
  app: App,
  taskId: string,
  committed?: Run,
): Promise<Projected | undefined> {
  const given = () => ({ attributes: { task: taskId } });
  return traced(app, 'project', given, async (traceable, span) => {
    const projected = await catchUp(traceable, taskId, committed);
    span?.set({ revision: projected?.view.projectedRevision, state: projected?.view.state });
    return projected;
  });
}

export interface Projected {
  readonly view: ViewDoc;
  readonly held?: HeldView;
}

async function catchUp(
  app: App,
  taskId: string,
  committed: Run | undefined,
): Promise<Projected | undefined> {
  for (let known = committed; ; known = undefined) {
    const [run, view] = await Promise.all([
      known ?? app.store.get(runDoc(taskId)),
      app.store.get(viewDoc(taskId)),
    ]);
    if (run === undefined) return undefined;
    // Being removed: nothing is shown any more.
    if (run.status === 'purging') return undefined;
    // The two were read one after the other; between them the content was scrubbed.
    if (view !== undefined && view.scrubbedRevision !== run.scrubbedRevision) continue;
    const runKey = await runKeyOf(app, run);
    const from = view?.projectedRevision ?? 0;
    if (from >= run.revision && view !== undefined) {
      // A view that is ahead was made by a later commit, and so is its archive: of the files that
      // belong to it this run knows nothing. Where that one failed, its row is still due.
      if (from === run.revision) await noteProjection(app, run, { view });
      return { view };
    }
    const revisions = await readRevisions(app, taskId, {
      from: from + 1,
      to: Math.min(run.revision, from + BATCH),
    });
    if (revisions === undefined) {
      if (await isShownOrGone(app, taskId, from)) continue;
      throw new Unreadable(`revisions of ${taskId}`);
    }
    const held = await projectBatch(app, runKey, run, { view, revisions });
    // Another process moved the view meanwhile: look again at what is left to do.
    if (held === undefined) continue;
    const lag = Math.max(0, app.clock.now() - run.statusAt);
    app.metrics?.measure('holdfast.projection.lag', lag / 1_000);
    await tellOf(app, projected(run, held.view.projectedRevision));
    if (held.view.projectedRevision < run.revision) continue;
    await noteProjection(app, run, held);
    return { view: held.view, held };
  }
}

/** Undefined: not all of them have a document. */
async function readRevisions(
  app: App,
  taskId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly RevisionDoc[] | undefined> {
  const docs = Array.from({ length: to - from + 1 }, (_, at) => revisionDoc(taskId, from + at));
  const found = await app.store.getAll(docs);
  const revisions = found.filter((revision) => revision !== undefined);
  return revisions.length === docs.length ? revisions : undefined;
}

/**
 * Row and view were read one after the other: in between the commit that made them has shown them,
 * or all was removed.
 */
async function isShownOrGone(app: App, taskId: string, from: number): Promise<boolean> {
  const [run, view] = await Promise.all([
    app.store.get(runDoc(taskId)),
    app.store.get(viewDoc(taskId)),
  ]);
  const gone = run === undefined || run.status === 'purging';
  return gone || (view?.projectedRevision ?? 0) > from;
}

async function projectBatch(
  app: App,
  runKey: SealingKey,
  run: Run,
  {
    view,
    revisions,
  }: { readonly view: ViewDoc | undefined; readonly revisions: readonly RevisionDoc[] },
): Promise<(HeldView & { readonly view: ViewDoc }) | undefined> {
  const shown: ShownRevision[] = [];
  for (const doc of revisions) {
    const { revision, state, at } = doc;
    shown.push({ revision, state, at, items: await readable(app, runKey, doc) });
  }
  const snapshot =
    view === undefined ? emptySnapshot<StoredPart>() : await unsealSnapshot(app, runKey, view);
  const projection = project({ view, snapshot, behind: [] }, shown);
  if (projection === undefined) return undefined;
  const head = await packSnapshot(app, runKey, view?.pages ?? [], projection.snapshot);
  const journal = await pack(app, runKey, { events: projection.events.map(itemToJson) });
  const packed = { head, journal };
  const docs = projectionDocs(app, runKey, run, { before: view, projection, packed });
  const written = await commitProjection(app, view, docs);
  return written ? { view: docs.view, snapshot: head.head, behind: [] } : undefined;
}

/**
 * A revision that is corrupt is shown as what its row says in clear; it must not hold up the ones
 * behind it.
 */
async function readable(
  app: App,
  runKey: SealingKey,
  revision: RevisionDoc,
): Promise<readonly StoredItem[]> {
  try {
    return await unsealRevision(app, runKey, revision);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    app.log.write('error', 'revision unreadable', {
      task: runKey.taskId,
      revision: revision.revision,
    });
    return unsealRevision(app, { ...runKey, scrubbedRevision: revision.revision }, revision);
  }
}

/**
 * The view and its journal entry together, if the view is still where this projection began; false
 * if it is not.
 */
async function commitProjection(
  app: App,
  before: ViewDoc | undefined,
  docs: ProjectionDocs,
): Promise<boolean> {
  const { taskId } = docs.view;
  return app.store.transact(async (tx) => {
    const current = await tx.get(viewDoc(taskId));
    // An attempt of ours that was applied after all looks like another process's: the caller reads
    // again and finds it done.
    if (current?.projectedRevision !== before?.projectedRevision) return false;
    // Scrubbed meanwhile: what was opened with the old key must not come back.
    if (current?.scrubbedRevision !== before?.scrubbedRevision) return false;
    writeDocs(tx, docs);
    return true;
  });
}
