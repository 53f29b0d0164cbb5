import type { ArtifactItem, StoredEvent, StoredItem } from '../../domain/item.ts';
import type { Millis } from '../../domain/brand.ts';
import type { StoredPart } from '../../domain/message.ts';
import type { Run } from '../../domain/run.ts';
import { applyItems, emptySnapshot, type StoredSnapshot } from '../../domain/task.ts';
import type { App } from '../app.ts';
import { boundEntry, boundView } from '../content/bindings.ts';
import { type Packed, sealFields } from '../content/content.ts';
import type { Transaction } from '../../ports/store.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import type { PackedSnapshot } from '../content/snapshot.ts';
import {
  type EntryDoc,
  entryDoc,
  SCHEMA_VERSION,
  type ViewDoc,
  viewDoc,
} from '../records/documents.ts';

/** A revision as it is shown. */
export interface ShownRevision {
  readonly revision: number;
  readonly state: string;
  readonly at: Millis;
  readonly items: readonly StoredItem[];
}

/** What a process knows of a task's view without a look: enough to write the next one. */
export interface HeldView {
  /** As stored; undefined: there is none yet. */
  readonly view: ViewDoc | undefined;
  /** What the view holds, unsealed; its pages are not in it. */
  readonly snapshot: StoredSnapshot;
  /** Committed behind the view and not shown yet, oldest first. */
  readonly behind: readonly ShownRevision[];
}

/** Of a run of which nothing is shown yet. */
export const NOTHING_SHOWN: HeldView = {
  view: undefined,
  snapshot: emptySnapshot(),
  behind: [],
};

/** The newest revision that a holder knows of. */
export const heldRevision = ({ behind, view }: HeldView): number =>
  behind.at(-1)?.revision ?? view?.projectedRevision ?? 0;

/** From one view to the next, before anything is sealed. */
export interface Projection {
  readonly last: ShownRevision;
  readonly snapshot: StoredSnapshot;
  readonly events: readonly StoredEvent[];
}

/** Shows further revisions. Undefined: there is none to show. Pure. */
export function project(
  held: HeldView,
  revisions: readonly ShownRevision[],
): Projection | undefined {
  const unshown = [...held.behind, ...revisions];
  const last = unshown.at(-1);
  if (last === undefined) return undefined;
  const before =
    held.view === undefined ? emptySnapshot<StoredPart>(last.state, last.at) : held.snapshot;
  const items = timed(unshown, before.artifacts, (held.view?.pages ?? []).length === 0);
  const { status, ...after } = applyItems(before, items);
  return {
    last,
    snapshot: { ...after, status: { ...status, state: last.state } },
    events: numbered(items, held.view?.lastSeq ?? 0),
  };
}

/**
 * The items of revisions, each artifact with the time of the commit that began it, on every piece
 * of it. `whole`: what is before is all that there is. Of an artifact that was begun in a page, a
 * later piece does not know it; the page does.
 */
function timed(
  revisions: readonly ShownRevision[],
  before: readonly ArtifactItem<StoredPart>[],
  whole: boolean,
): readonly StoredItem[] {
  const begun = new Map(before.map(({ artifact, at }) => [artifact.artifactId, at]));
  return revisions.flatMap(({ at, items }) =>
    items.map((item) => {
      if (item.kind !== 'artifact') return item;
      const { artifactId } = item.artifact;
      const goesOn = item.append && (begun.has(artifactId) || !whole);
      const since = goesOn ? begun.get(artifactId) : at;
      begun.set(artifactId, since);
      return since === undefined ? item : { ...item, at: since };
    }),
  );
}

export type OwnRevision = NonNullable<EntryDoc['own']>;

/** The content of a projection, ready to be sealed into its documents. */
export interface PackedProjection {
  readonly head: PackedSnapshot;
  readonly journal: Packed;
  /** The newest revision, where the entry is to be its document, too. */
  readonly own?: OwnRevision | undefined;
}

export interface ProjectionDocs {
  readonly view: ViewDoc;
  /** There was no view before: one that is there after all is another's. */
  readonly first: boolean;
  /** Undefined: nothing of it is an event. */
  readonly entry: EntryDoc | undefined;
}

/** The documents of a projection: they are written together, or not at all (G3). */
export function projectionDocs(
  app: App,
  runKey: SealingKey,
  run: Run,
  {
    before,
    projection,
    packed,
  }: {
    readonly before: ViewDoc | undefined;
    readonly projection: Projection;
    readonly packed: PackedProjection;
  },
): ProjectionDocs {
  const { events, last, snapshot } = projection;
  const { head, journal, own } = packed;
  const { taskId, contextId, agent, tenant, owner, scope, createdAt, wrappedKey } = run;
  const { listShard, scrubbedRevision } = run;
  const lastSeq = events.at(-1)?.seq ?? before?.lastSeq ?? 0;
  const clear = {
    v: SCHEMA_VERSION,
    taskId,
    contextId,
    agent,
    tenant,
    owner,
    scope,
    listShard,
    state: last.state,
    statusAt: snapshot.status.at,
    createdAt,
    projectedRevision: last.revision,
    lastSeq,
    wrappedKey,
    scrubbedRevision,
    pages: head.pages.map((page) => ({ ...page })),
  } as const;
  const { path } = viewDoc(taskId);
  const view: ViewDoc = {
    ...clear,
    ...sealFields(app, runKey, path, head.packed, boundView(clear)),
  };
  const entry = entryOf(app, runKey, { before, projection, lastSeq, journal, own });
  return { view, first: before === undefined, entry };
}

/** In the transaction that has made sure of the view before. */
export function writeDocs(
  tx: Pick<Transaction, 'create' | 'set'>,
  { entry, first, view }: ProjectionDocs,
): void {
  const at = viewDoc(view.taskId);
  if (first) tx.create(at, view);
  else tx.set(at, view);
  if (entry !== undefined) tx.create(entryDoc(view.taskId, entry.toSeq), entry);
}

function entryOf(
  app: App,
  runKey: SealingKey,
  { before, projection, lastSeq, journal, own }: NewEntry,
): EntryDoc | undefined {
  const { events, last } = projection;
  const [first] = events;
  if (first === undefined) return undefined;
  const shown = {
    v: SCHEMA_VERSION,
    fromSeq: first.seq,
    toSeq: lastSeq,
    revision: last.revision,
    state: last.state,
    at: last.at,
    epoch: runKey.scrubbedRevision,
    states: changesOfState(events, before?.state),
    ...(own && { own }),
  } as const;
  const { path } = entryDoc(runKey.taskId, lastSeq);
  return { ...shown, ...sealFields(app, runKey, path, journal, boundEntry(shown)) };
}

interface NewEntry {
  readonly before: ViewDoc | undefined;
  readonly projection: Projection;
  readonly lastSeq: number;
  readonly journal: Packed;
  readonly own: OwnRevision | undefined;
}

/** Messages of the client make no event; everything else gets the next numbers, without a gap. */
function numbered(items: readonly StoredItem[], lastSeq: number): readonly StoredEvent[] {
  const events: StoredEvent[] = [];
  for (const item of items) {
    if (item.kind !== 'message') events.push({ ...item, seq: lastSeq + events.length + 1 });
  }
  return events;
}

/**
 * The steps between states, without what was said at them: the part of an entry that outlives its
 * content.
 */
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
