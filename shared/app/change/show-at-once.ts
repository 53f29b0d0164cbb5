import { type Run, stateOf } from '../../domain/run.ts';
import type { Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { itemToJson, packInline } from '../content/content.ts';
import { itemsOf, type PreparedPublication } from '../content/publication.ts';
import { packWithoutPage } from '../content/snapshot.ts';
import { viewDoc } from '../records/documents.ts';
import {
  type HeldView,
  heldRevision,
  type OwnRevision,
  project,
  type Projection,
  type ProjectionDocs,
  projectionDocs,
  type ShownRevision,
} from './projection.ts';

/** What a change knows of the view when it is committed. */
export interface Showing {
  /** To be written in the same commit; absent where that is left to the projector. */
  readonly docs?: ProjectionDocs;
  /** What is known of the view from then on; absent: nothing for certain. */
  readonly held?: HeldView;
}

/**
 * Shows a revision in the commit that makes it, where the view is known up to the one before: then
 * no reader can see the one without the other (G2). Whatever does not fit a row, or a view that
 * another process has moved, is left to the projector. Reads only.
 */
export async function showAtOnce(
  app: App,
  tx: Transaction,
  held: HeldView | undefined,
  {
    before,
    next,
    publication,
  }: {
    readonly before: Pick<Run, 'taskId' | 'revision' | 'scrubbedRevision'>;
    readonly next: Run;
    readonly publication: PreparedPublication;
  },
): Promise<Showing> {
  if (held === undefined || heldRevision(held) !== before.revision) return {};
  if (!(await stands(tx, before, held))) return {};
  const own = shownRevision(next, publication);
  const later: HeldView = { ...held, behind: [...held.behind, own] };
  const projection = project(held, [own]);
  const head = projection && packWithoutPage(app, held.view?.pages ?? [], projection.snapshot);
  const journal =
    projection &&
    packInline({ events: projection.events.map(itemToJson) }, app.settings.inlineContent);
  if (projection === undefined || head === undefined || journal === undefined)
    return { held: later };
  const docs = projectionDocs(app, publication.runKey, next, {
    before: held.view,
    projection,
    packed: { head, journal, own: ownRevision(next, projection, publication) },
  });
  return { docs, held: { view: docs.view, snapshot: head.head, behind: [] } };
}

/** The newest revision of a run, as it will be shown. */
export function shownRevision(run: Run, publication: PreparedPublication): ShownRevision {
  const shown = { revision: run.revision, state: stateOf(run), at: run.statusAt };
  return { ...shown, items: itemsOf(publication, shown) };
}

/** The entry is the revision's document, too, where it holds all that the revision does. */
function ownRevision(
  { commitId }: Run,
  { events }: Projection,
  { announcement, items }: PreparedPublication,
): OwnRevision | undefined {
  const announces = announcement !== undefined;
  const own = items.length + (announces ? 1 : 0);
  // A client's message is no event: it needs a revision to lie in.
  if (own === 0 || items.some(({ kind }) => kind === 'message')) return undefined;
  return { commitId, fromSeq: (events.at(-own) ?? { seq: 0 }).seq, announces };
}

/** The view has not moved since, be it forward or under another key. */
async function stands(
  tx: Transaction,
  run: Pick<Run, 'taskId' | 'scrubbedRevision'>,
  { view }: HeldView,
): Promise<boolean> {
  if (run.scrubbedRevision !== (view?.scrubbedRevision ?? 0)) return false;
  // One that is there after all fails the commit, and the next try looks.
  if (view === undefined && tx.attempt === 1) return true;
  const present = await tx.get(viewDoc(run.taskId));
  return (
    present?.projectedRevision === view?.projectedRevision &&
    present?.scrubbedRevision === view?.scrubbedRevision
  );
}
