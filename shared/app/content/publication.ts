import { type Ceiling, keepsResult } from '../../domain/ceiling.ts';
import {
  isDraft,
  type Item,
  type StatusItem,
  type StoredEvent,
  type StoredItem,
} from '../../domain/item.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { Message, StoredPart } from '../../domain/message.ts';
import { type Run, stateOf } from '../../domain/run.ts';
import { announcedBy } from '../../domain/transitions.ts';
import type { App } from '../app.ts';
import { boundEntry, boundRevision } from './bindings.ts';
import {
  itemsFromJson,
  itemToJson,
  unsealFields,
  pack,
  type Packed,
  sealFields,
  storeItems,
} from './content.ts';
import { entryDoc, type RevisionDoc, revisionDoc, SCHEMA_VERSION } from '../records/documents.ts';
import { CUT_TEXT } from './cut-texts.ts';
import type { SealingKey } from './sealing-key.ts';
import type { CommittedRevision, OwnEntry } from './revisions.ts';
import { redactItems } from './redact-items.ts';

/**
 * What a change makes public: items that happened before it, and whether it announces its state,
 * and how.
 */
export interface Publication {
  readonly items?: readonly Item[];
  /**
   * Undefined: the state is unchanged and not announced (an artifact in the middle of the work).
   */
  readonly status?: {
    readonly message?: Message;
    /**
     * The message is a fixed text of ours: there is nothing to redact, and a redactor that is away
     * does not hold it up.
     */
    readonly fixed?: true;
    readonly metadata?: JsonObject;
  };
}

/** What is said at a state, as stored. */
export type Announcement = Pick<StatusItem<StoredPart>, 'message' | 'metadata'>;

/**
 * A publication ready to be committed under a run whose answer ceiling is still the one that it was
 * prepared for.
 */
export interface PreparedPublication {
  readonly packed: Packed;
  readonly ceiling: Ceiling;
  /** What it holds, as stored; large parts lie in objects already. */
  readonly items: readonly StoredItem[];
  /** How it announces its state; undefined: it does not. */
  readonly announcement: Announcement | undefined;
  /** Where it was sealed for. */
  readonly runKey: SealingKey;
}

/**
 * The public part of a change, redacted if the ceiling says so, stored and serialised before the
 * transaction that commits it. A ceiling that keeps nothing gets the bare state (G5).
 */
export async function preparePublication(
  app: App,
  runKey: SealingKey,
  publication: Publication,
  ceiling: Ceiling,
): Promise<PreparedPublication> {
  const { items: said = [], status } = await kept(app, publication, ceiling);
  const items = await storeItems(app, runKey, said);
  const announcement = status && (await storeAnnouncement(app, runKey, status));
  const packed = await pack(app, runKey, {
    items: items.map(itemToJson),
    status: announcement === undefined ? null : announcementToJson(announcement),
  });
  return { packed, ceiling, items, announcement, runKey };
}

/** What a revision says in clear. */
type Shown = Pick<RevisionDoc, 'revision' | 'state' | 'at'>;

/** All items that the revision of a publication has: its own, and what it announces. */
export function itemsOf(
  { items, announcement }: PreparedPublication,
  shown: Shown,
): readonly StoredItem[] {
  return announcement === undefined ? items : [...items, ...announced(shown, announcement)];
}

/** What was said goes with the newest of the states. */
function announced(
  { at, ...shown }: Shown,
  said: Announcement = {},
): readonly StatusItem<StoredPart>[] {
  const states = announcedBy(shown);
  return states.map((state, each) => ({
    kind: 'status',
    state,
    at,
    ...(each === states.length - 1 && said),
  }));
}

async function kept(app: App, publication: Publication, ceiling: Ceiling): Promise<Publication> {
  const { items: given = [], status } = publication;
  if (ceiling === 'full') return publication;
  if (!keepsResult(ceiling))
    return status === undefined
      ? {}
      : { status: { ...(status.metadata && { metadata: status.metadata }) } };
  const items = given.filter((item) => !isDraft(item)).map(withoutLatePieces);
  const said = status?.fixed ? [] : messagesOf(status?.message);
  const redacted = await redactItems(app.redactor, [...items, ...said]);
  const last = said.length === 0 ? undefined : redacted.at(-1);
  const message = last?.kind === 'message' ? last.message : status?.fixed && status.message;
  return {
    items: redacted.slice(0, items.length),
    ...(status && {
      status: {
        ...(message && { message }),
        ...(status.metadata && { metadata: status.metadata }),
      },
    }),
  };
}

/**
 * A piece of what was shown before the ceiling was tightened: what it goes on with is not at hand.
 */
function withoutLatePieces(item: Item): Item {
  if (item.kind !== 'artifact' || !item.append) return item;
  const parts = item.artifact.parts.map((part) => ('text' in part ? CUT_TEXT : part));
  return { ...item, artifact: { ...item.artifact, parts } };
}

async function storeAnnouncement(
  app: App,
  runKey: SealingKey,
  { message, metadata }: NonNullable<Publication['status']>,
): Promise<Announcement> {
  const [stored] = await storeItems(app, runKey, messagesOf(message));
  return {
    ...(stored?.kind === 'message' && { message: stored.message }),
    ...(metadata && { metadata }),
  };
}

function announcementToJson({ message, metadata }: Announcement): JsonObject {
  return {
    ...(message && { item: itemToJson({ kind: 'message', message }) }),
    ...(metadata && { metadata }),
  };
}

function messagesOf(message: Message | undefined): readonly Item[] {
  return message === undefined ? [] : [{ kind: 'message', message }];
}

/** The revision document of a run's newest change. */
export function revisionOf(
  app: App,
  run: Run,
  commitId: string,
  { packed, announcement, runKey }: PreparedPublication,
): RevisionDoc {
  const { path } = revisionDoc(run.taskId, run.revision);
  const announces = announcement !== undefined;
  const shown = { state: stateOf(run), at: run.statusAt, announces };
  return {
    v: SCHEMA_VERSION,
    revision: run.revision,
    commitId,
    ...shown,
    ...sealFields(app, runKey, path, packed, boundRevision(shown)),
  };
}

/**
 * All items of a revision, in order; its own announcement comes last, and is all that is left of a
 * scrubbed one. Throws Unreadable.
 */
export async function unsealRevision(
  app: App,
  runKey: SealingKey,
  revision: CommittedRevision,
): Promise<readonly StoredItem[]> {
  if ('own' in revision) return unsealOwn(app, runKey, revision);
  const { path } = revisionDoc(runKey.taskId, revision.revision);
  if (revision.revision <= runKey.scrubbedRevision) {
    return revision.announces ? announced(revision) : [];
  }
  const content = await unsealFields(app, runKey, path, revision, boundRevision(revision));
  const items = itemsFromJson<StoredItem>(content['items'], path);
  const status = content['status'];
  if (!isJsonObject(status)) return items;
  return [...items, ...announced(revision, announcementFrom(status, path))];
}

/** The part of a journal entry that is its own revision: behind the events of those before it. */
async function unsealOwn(
  app: App,
  runKey: SealingKey,
  entry: OwnEntry,
): Promise<readonly StoredItem[]> {
  const { own, revision, state, at, toSeq } = entry;
  if (revision <= runKey.scrubbedRevision)
    return own.announces ? [{ kind: 'status', state, at }] : [];
  const { path } = entryDoc(runKey.taskId, toSeq);
  const content = await unsealFields(app, runKey, path, entry, boundEntry(entry));
  return itemsFromJson<StoredEvent>(content['events'], path)
    .filter(({ seq }) => seq >= own.fromSeq)
    .map(({ seq: _, ...item }): StoredItem => item);
}

function announcementFrom(status: JsonObject, path: string): Announcement {
  const [said] =
    status['item'] === undefined ? [] : itemsFromJson<StoredItem>([status['item']], path);
  const metadata = isJsonObject(status['metadata']) ? { metadata: status['metadata'] } : {};
  const message = said?.kind === 'message' ? { message: said.message } : {};
  return { ...message, ...metadata };
}
