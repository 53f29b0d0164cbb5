import type { Delivered } from '../../domain/caller.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Message, StoredArtifact, StoredMessage, StoredPart } from '../../domain/message.ts';
import { type RunFrame, tryOf } from '../../domain/run.ts';
import { applyItems, emptySnapshot, joinContent, type StoredSnapshot } from '../../domain/task.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { loadItem } from '../content/content.ts';
import { isApproval } from '../content/decision-part.ts';
import { unsealRevision } from '../content/publication.ts';
import { readRevisions } from '../content/revisions.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { unsealInput } from '../content/segment-input.ts';
import { unsealContents } from '../content/snapshot.ts';
import { type HeldView, heldRevision, project } from '../change/projection.ts';
import { projectRun } from '../change/project-run.ts';

/** Revisions that are read at once. */
const BATCH = 50;

/** What a segment starts from. */
export interface Input extends Delivered {
  readonly history: readonly Message[];
  /**
   * The artifacts as they were when this segment first began: what a repeated attempt builds on
   * again.
   */
  readonly artifacts: readonly StoredArtifact[];
  /** Of the task, at that time. */
  readonly metadata?: JsonObject;
}

/**
 * Loads the message of a segment and what came before it. `held` is the view as the claim knows it.
 * Throws Unreadable, Unavailable.
 */
export async function loadInput(
  app: App,
  runKey: SealingKey,
  run: RunFrame,
  held?: HeldView,
): Promise<Input> {
  const before = fromHeld(run, held) ?? (await fromStore(app, runKey, run));
  // What an approval lets go on is the message before it.
  const at = before.history.findLastIndex(
    (message) => message.role === 'user' && !isApproval(message),
  );
  const message = before.history[at];
  if (message === undefined) throw new Unreadable(`input of ${run.taskId}`);
  return {
    ...(run.hasInput
      ? await unsealInput(app, runKey)
      : { message: await load(app, runKey, message) }),
    history: await Promise.all(before.history.slice(0, at).map((said) => load(app, runKey, said))),
    artifacts: before.artifacts,
    ...(before.metadata && { metadata: before.metadata }),
  };
}

async function load(app: App, runKey: SealingKey, message: StoredMessage): Promise<Message> {
  const loaded = await loadItem(app, runKey, { kind: 'message', message });
  return loaded.kind === 'message' ? loaded.message : Promise.reject(new Unreadable(runKey.taskId));
}

interface Before {
  readonly history: readonly StoredMessage[];
  readonly artifacts: readonly StoredArtifact[];
  readonly metadata?: JsonObject;
}

/**
 * A first segment's first attempt: the view holds its message and nothing else. A message that made
 * a page of its own is not in what is held.
 */
function fromHeld(run: RunFrame, held: HeldView | undefined): Before | undefined {
  const fresh = run.inputRevision === 1 && tryOf(run) === 1;
  if (!fresh || held === undefined || heldRevision(held) !== run.revision) return undefined;
  if (held.view !== undefined && held.view.pages.length > 0) return undefined;
  const { history, ...rest } = joinContent([project(held, [])?.snapshot ?? held.snapshot]);
  return { ...rest, history: history.map(ownMessage) };
}

/** The agent may change what it is given; what is held is shown and archived. */
function ownMessage(message: StoredMessage): StoredMessage {
  return { ...withOwnMetadata(message), parts: message.parts.map(ownPart) };
}

function ownPart(part: StoredPart): StoredPart {
  const own = withOwnMetadata(part);
  if ('data' in own) return { ...own, data: structuredClone(own.data) };
  return 'raw' in own ? { ...own, raw: new Uint8Array(own.raw) } : own;
}

function withOwnMetadata<T extends { readonly metadata?: JsonObject }>(given: T): T {
  const { metadata } = given;
  return metadata === undefined ? { ...given } : { ...given, metadata: structuredClone(metadata) };
}

function fromStore(app: App, runKey: SealingKey, run: RunFrame): Promise<Before> {
  // Revisions that were scrubbed hold nothing any more; the view holds what may be kept of them.
  const fromStart = run.scrubbedRevision === 0 && (run.inputRevision === 1 || tryOf(run) > 1);
  return fromStart ? fromRevisions(app, runKey, run) : fromView(app, runKey, run);
}

/**
 * A continued segment's first attempt: nothing was published since its message, so the view holds
 * just what it needs.
 */
async function fromView(app: App, runKey: SealingKey, run: RunFrame): Promise<Before> {
  const view = await projectRun(app, run.taskId);
  if (view === undefined) throw new Unreadable(`view of ${run.taskId}`);
  const stretches = await unsealContents(app, runKey, view);
  const { metadata } = stretches.at(-1) ?? {};
  return { ...joinContent<StoredPart>(stretches), ...(metadata && { metadata }) };
}

/**
 * A first segment has one revision; a repeated attempt must not see what the failed one published,
 * so it goes back to the revisions.
 */
async function fromRevisions(app: App, runKey: SealingKey, run: RunFrame): Promise<Before> {
  let snapshot: StoredSnapshot = emptySnapshot();
  for (let from = 1; from <= run.inputRevision; from += BATCH) {
    const to = Math.min(from + BATCH - 1, run.inputRevision);
    for (const revision of await readRevisions(app, run.taskId, { from, to }))
      snapshot = applyItems(snapshot, await unsealRevision(app, runKey, revision));
  }
  const { metadata } = snapshot;
  return { ...joinContent([snapshot]), ...(metadata && { metadata }) };
}
