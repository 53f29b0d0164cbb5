import type { ArtifactItem } from '../../domain/item.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { MessageOf, ObjectRef, Part, StoredPart } from '../../domain/message.ts';
import { isSettled } from '../../domain/status.ts';
import {
  joinContent,
  recent,
  type StoredContent,
  type StoredSnapshot,
  type Task,
} from '../../domain/task.ts';
import { mapParts, partFromJson, partToJson } from '../../domain/stored-content.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { boundView } from './bindings.ts';
import {
  itemsFromJson,
  itemToJson,
  loadPart,
  unsealFields,
  pack,
  packInline,
  type Packed,
} from './content.ts';
import { type ViewDoc, viewDoc } from '../records/documents.ts';
import { getObject, putObject } from './objects.ts';
import type { SealingKey } from './sealing-key.ts';

/** A snapshot ready for its document: the head, and the pages that it follows. */
export interface PackedSnapshot {
  readonly packed: Packed;
  readonly pages: readonly ObjectRef[];
  /** What the document itself holds. */
  readonly head: StoredSnapshot;
}

/**
 * Packs a snapshot. A head over its limit becomes an immutable page and the head starts anew, so
 * what a projection writes does not grow with the task. While the task works the limit is small; at
 * rest, one read is to hold it all.
 */
export async function packSnapshot(
  app: App,
  runKey: SealingKey,
  pages: readonly ObjectRef[],
  snapshot: StoredSnapshot,
): Promise<PackedSnapshot> {
  const inline = packWithoutPage(app, pages, snapshot);
  if (inline !== undefined) return inline;
  const page = await putObject(
    app,
    runKey,
    'page',
    Buffer.from(JSON.stringify(contentToJson(snapshot))),
  );
  const head: StoredSnapshot = { ...snapshot, history: [], artifacts: [] };
  return { packed: await pack(app, runKey, snapshotToJson(head)), pages: [...pages, page], head };
}

/** The same where its head is within its limit; undefined where it would need a page. */
export function packWithoutPage(
  app: App,
  pages: readonly ObjectRef[],
  snapshot: StoredSnapshot,
): PackedSnapshot | undefined {
  const { inlineContent, workingSnapshot } = app.settings;
  const limit = isSettled(snapshot.status.state) ? inlineContent : workingSnapshot;
  const packed = packInline(snapshotToJson(snapshot), limit);
  return packed && { packed, pages, head: snapshot };
}

/** The head of a view's snapshot. Throws Unreadable. */
export async function unsealSnapshot(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
): Promise<StoredSnapshot> {
  const { path } = viewDoc(view.taskId);
  const json = await unsealFields(app, runKey, path, view, boundView(view));
  const status = json['status'];
  if (!isJsonObject(status)) throw new Unreadable(path);
  const [said] = status['message'] === undefined ? [] : messagesFromJson([status['message']], path);
  const metadata = json['metadata'];
  return {
    ...contentFromJson(json, path),
    status: { state: view.state, at: view.statusAt, ...(said && { message: said }) },
    ...(isJsonObject(metadata) && { metadata }),
  };
}

/** What of a task is shown; absent: all. */
export interface Wanted {
  readonly historyLength?: number | undefined;
  readonly artifacts?: boolean;
}

/**
 * The public task of a view. One read for what fits a row; what does not is loaded beside it.
 * Throws Unreadable.
 */
export async function unsealTask(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  wanted: Wanted = {},
): Promise<Task> {
  return taskOf(app, runKey, view, await unsealSnapshot(app, runKey, view), wanted);
}

/** The same for one who knows what the view's document holds. */
export async function taskOf(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  head: StoredSnapshot,
  wanted: Wanted = {},
): Promise<Task> {
  const pages = view.pages.length === 0 ? [] : await unsealPages(app, runKey, view);
  const joined = joinContent<StoredPart>([...pages, head]);
  const history = recent(joined.history, wanted.historyLength);
  const artifacts = wanted.artifacts === false ? [] : joined.artifacts;
  const { message, ...status } = head.status;
  const [said] = message === undefined ? [] : await loadAll(app, runKey, [message]);
  return {
    taskId: view.taskId,
    contextId: view.contextId,
    status: { ...status, ...(said && { message: said }) },
    history: await loadAll(app, runKey, history),
    artifacts: await loadAll(app, runKey, artifacts),
    begun: joined.begun,
    ...(head.metadata && { metadata: head.metadata }),
  };
}

/**
 * The end of a task, within about that many bytes as stored: for one who wants the gist of it. A
 * part that lies in an object is a text that names it. Throws Unreadable.
 */
export async function unsealBriefly(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  bytes: number,
): Promise<Task & { readonly cut: boolean }> {
  const pages: ObjectRef[] = [];
  let left = bytes - view.content.byteLength;
  for (const page of view.pages.toReversed()) {
    left -= page.bytes;
    if (left < 0) break;
    pages.unshift(page);
  }
  const head = await unsealSnapshot(app, runKey, view);
  const stretches = [...(await unsealPages(app, runKey, { ...view, pages })), head];
  const { history, artifacts } = joinContent<StoredPart>(stretches);
  return {
    taskId: view.taskId,
    contextId: view.contextId,
    status: { state: view.state, at: view.statusAt },
    history: history.map((message) => mapParts(message, namedPart)),
    artifacts: artifacts.map((artifact) => mapParts(artifact, namedPart)),
    cut: pages.length < view.pages.length,
  };
}

function namedPart(part: StoredPart): Part {
  if (!('stored' in part)) return part;
  const { filename, mediaType, stored } = part;
  const what = [mediaType, `${stored.bytes} bytes`].filter((each) => each !== undefined);
  return { text: `[${filename ?? 'content'} (${what.join(', ')})]` };
}

/** All stretches of a view, oldest first, their parts as stored; the last is its head. */
export async function unsealContents(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
): Promise<readonly (StoredContent & Pick<StoredSnapshot, 'metadata'>)[]> {
  return [...(await unsealPages(app, runKey, view)), await unsealSnapshot(app, runKey, view)];
}

function unsealPages(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
): Promise<readonly StoredContent[]> {
  return Promise.all(view.pages.map((page) => unsealPage(app, runKey, page)));
}

interface Holder {
  readonly parts: readonly StoredPart[];
}
type Loaded<T> = Omit<T, 'parts'> & { readonly parts: readonly Part[] };

/** With every part in place: most lie in the row, and then there is nothing to wait for. */
async function loadAll<T extends Holder>(
  app: App,
  runKey: SealingKey,
  holders: readonly T[],
): Promise<readonly Loaded<T>[]> {
  if (holders.every(isLoaded)) return holders;
  return Promise.all(
    holders.map(async (holder) => ({
      ...holder,
      parts: await Promise.all(holder.parts.map((part) => loadPart(app, runKey, part))),
    })),
  );
}

function isLoaded<T extends Holder>(holder: T): holder is T & { readonly parts: readonly Part[] } {
  return holder.parts.every((part) => !('stored' in part));
}

async function unsealPage(app: App, runKey: SealingKey, page: ObjectRef): Promise<StoredContent> {
  const plain = await getObject(app, runKey, 'page', page);
  const json: unknown = JSON.parse(Buffer.from(plain).toString('utf8'));
  if (!isJsonObject(json)) throw new Unreadable(page.object);
  return contentFromJson(json, page.object);
}

function contentToJson(content: StoredContent): JsonObject {
  return {
    history: content.history.map(messageToJson),
    artifacts: content.artifacts.map(itemToJson),
  };
}

function snapshotToJson(snapshot: StoredSnapshot): JsonObject {
  const { message } = snapshot.status;
  return {
    ...contentToJson(snapshot),
    status: message === undefined ? {} : { message: messageToJson(message) },
    ...(snapshot.metadata && { metadata: snapshot.metadata }),
  };
}

function contentFromJson(json: JsonObject, what: string): StoredContent {
  return {
    history: messagesFromJson(json['history'], what),
    artifacts: itemsFromJson<ArtifactItem<StoredPart>>(json['artifacts'], what),
  };
}

const messageToJson = (message: MessageOf<StoredPart>): JsonObject =>
  mapParts(message, partToJson) as unknown as JsonObject;

function messagesFromJson(json: Json | undefined, what: string): readonly MessageOf<StoredPart>[] {
  if (!Array.isArray(json)) throw new Unreadable(what);
  try {
    return json.map((message) => mapParts(message as unknown as MessageOf<Json>, partFromJson));
  } catch (cause) {
    throw new Unreadable(what, cause);
  }
}
