import type { StoredEvent, StoredItem } from '../../domain/item.ts';
import type { Run } from '../../domain/run.ts';
import { isSettled } from '../../domain/status.ts';
import { applyItems, emptySnapshot, type StoredSnapshot } from '../../domain/task.ts';
import { projected } from '../../domain/transitions.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { archiveTask } from './archive-task.ts';
import { changeRun } from './change-run.ts';
import { boundEntry, boundView } from '../content/bindings.ts';
import { itemToJson, pack, sealFields } from '../content/content.ts';
import { unsealRevision } from '../content/publication.ts';
import {
  type EntryDoc,
  entryDoc,
  type RevisionDoc,
  revisionDoc,
  runDoc,
  SCHEMA_VERSION,
  type ViewDoc,
  viewDoc,
} from '../records/documents.ts';
import { type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import { deleteObjects, deleteScrubbed } from './scrub.ts';
import { unsealSnapshot, packSnapshot } from '../content/snapshot.ts';
import { traced } from '../tracing.ts';

/** So many revisions at most become one journal entry; a projector that is far behind takes several. */
const BATCH = 50;

/**
 * Writes the view and the journal from committed revisions (G2, G3). Idempotent: the view says how far it is, and it moves
 * only in the transaction that also appends the journal entry, so a revision's events appear once whoever projects, and however
 * often. Nothing here runs a model or a tool. Returns the view, or undefined when there is no such run. Whoever has just
 * committed the run hands it in, which saves a read; what others commit after it, they have projected.
 */
export function projectRun(
  app: App,
  taskId: string,
  committed?: Run,
): Promise<ViewDoc | undefined> {
  const given = () => ({ attributes: { task: taskId } });
  return traced(app, 'project', given, async (traceable, span) => {
    const view = await project(traceable, taskId, committed);
    span?.set({ revision: view?.projectedRevision, state: view?.state });
    return view;
  });
}

async function project(
  app: App,
  taskId: string,
  committed: Run | undefined,
): Promise<ViewDoc | undefined> {
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
      await caughtUp(app, runKey, run, view);
      return view;
    }
    const revisions = await readRevisions(
      app,
      taskId,
      from + 1,
      Math.min(run.revision, from + BATCH),
    );
    // Removed since the row was read.
    if (revisions === undefined) return undefined;
    const next = await projectBatch(app, runKey, run, view, revisions);
    // Somebody else moved the view meanwhile: look again at what is left to do.
    if (next === undefined || next.projectedRevision < run.revision) continue;
    await caughtUp(app, runKey, run, next);
    return next;
  }
}

async function readRevisions(
  app: App,
  taskId: string,
  from: number,
  to: number,
): Promise<readonly RevisionDoc[] | undefined> {
  const docs = Array.from({ length: to - from + 1 }, (_, at) => revisionDoc(taskId, from + at));
  const found = await app.store.getAll(docs);
  const revisions = found.filter((revision) => revision !== undefined);
  if (revisions.length === docs.length) return revisions;
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined || run.status === 'purging') return undefined;
  throw new Unreadable(`revisions of ${taskId}`);
}

async function projectBatch(
  app: App,
  runKey: SealingKey,
  run: Run,
  view: ViewDoc | undefined,
  revisions: readonly RevisionDoc[],
): Promise<ViewDoc | undefined> {
  const last = revisions.at(-1);
  if (last === undefined) return view;
  const items: StoredItem[] = [];
  for (const revision of revisions) items.push(...(await readable(app, runKey, revision)));
  const before: StoredSnapshot =
    view === undefined
      ? emptySnapshot(last.state, last.at)
      : await unsealSnapshot(app, runKey, view);
  const after = applyItems(before, items);
  const snapshot = { ...after, status: { ...after.status, state: last.state } };
  const head = await packSnapshot(app, runKey, view?.pages ?? [], snapshot);
  const events = numbered(items, view?.lastSeq ?? 0);
  const journal = await pack(app, runKey, { events: events.map(itemToJson) });
  const clear = {
    v: SCHEMA_VERSION,
    taskId: run.taskId,
    contextId: run.contextId,
    agent: run.agent,
    tenant: run.tenant,
    owner: run.owner,
    scope: run.scope,
    listShard: run.listShard,
    state: last.state,
    statusAt: snapshot.status.at,
    createdAt: run.createdAt,
    projectedRevision: last.revision,
    lastSeq: events.at(-1)?.seq ?? view?.lastSeq ?? 0,
    wrappedKey: run.wrappedKey,
    scrubbedRevision: run.scrubbedRevision,
    pages: head.pages.map((page) => ({ ...page })),
  } as const;
  const { path } = viewDoc(run.taskId);
  const next: ViewDoc = {
    ...clear,
    ...sealFields(app, runKey, path, head.packed, boundView(clear)),
  };
  const [first] = events;
  const shown =
    first &&
    ({
      v: SCHEMA_VERSION,
      fromSeq: first.seq,
      toSeq: next.lastSeq,
      revision: last.revision,
      state: last.state,
      at: last.at,
      epoch: run.scrubbedRevision,
      states: changesOfState(events, view?.state),
    } as const);
  const entry: EntryDoc | undefined = shown && {
    ...shown,
    ...sealFields(app, runKey, entryDoc(run.taskId, shown.toSeq).path, journal, boundEntry(shown)),
  };
  return commitProjection(app, view, next, entry);
}

/** A revision that is corrupt is shown as what its row says in clear; it must not hold up the ones behind it. */
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

/** The view and its journal entry together, if the view is still where this projection began; undefined if it is not. */
async function commitProjection(
  app: App,
  before: ViewDoc | undefined,
  next: ViewDoc,
  entry: EntryDoc | undefined,
): Promise<ViewDoc | undefined> {
  return app.store.transact(async (tx) => {
    const current = await tx.get(viewDoc(next.taskId));
    // An attempt of ours that was applied after all looks like somebody else's: the caller reads again and finds it done.
    if (current?.projectedRevision !== before?.projectedRevision) return undefined;
    // Scrubbed meanwhile: what was opened with the old key must not come back.
    if (current?.scrubbedRevision !== before?.scrubbedRevision) return undefined;
    tx.set(viewDoc(next.taskId), next);
    if (entry !== undefined) tx.create(entryDoc(next.taskId, entry.toSeq), entry);
    return next;
  });
}

/** Messages of the client make no event; everything else gets the next numbers, without a gap. */
function numbered(items: readonly StoredItem[], lastSeq: number): readonly StoredEvent[] {
  const events: StoredEvent[] = [];
  for (const item of items) {
    if (item.kind !== 'message') events.push({ ...item, seq: lastSeq + events.length + 1 });
  }
  return events;
}

/** The steps between states, without what was said at them: the part of an entry that outlives its content. */
function changesOfState(
  events: readonly StoredEvent[],
  before: string | undefined,
): EntryDoc['states'] {
  const changes: EntryDoc['states'] = [];
  let state = before;
  for (const event of events) {
    if (event.kind !== 'status' || event.state === state) continue;
    state = event.state;
    changes.push({ seq: event.seq, state, at: event.at });
  }
  return changes;
}

/**
 * What follows a complete projection: the archive at rest, then the note on the run that nothing is due any more. While a run
 * is under way the note waits for the run's next write, which carries it for free.
 */
async function caughtUp(app: App, runKey: SealingKey, run: Run, view: ViewDoc): Promise<void> {
  if (run.projectedRevision >= view.projectedRevision && !run.scrubPending) return;
  if (run.scrubPending) await deleteScrubbed(app, runKey);
  if (isSettled(view.state)) await archiveTask(app, runKey, view, run.archive);
  else if (!run.scrubPending && isUnderWay(app, run)) return;
  const { run: current } = await changeRun(app, run.taskId, {
    decide(current) {
      if (current.status === 'purging') return undefined;
      const next = projected(current, view.projectedRevision);
      const deleted = current.scrubPending && current.scrubbedRevision === run.scrubbedRevision;
      if (next === current && !deleted) return undefined;
      return deleted ? { ...next, scrubPending: false } : next;
    },
  });
  // Removed while its archive was being written: what came after the deletion would stay for good.
  if (current === undefined || current.status === 'purging') await deleteObjects(app, runKey);
}

/** Its next write is not far. One that waits for a remote agent may have none for a day. */
function isUnderWay(app: App, { status, statusAt }: Run): boolean {
  return (
    status !== 'waiting_for_dependency' && app.clock.now() < statusAt + app.settings.sweepGrace
  );
}
