import type { Millis } from './brand.ts';
import type { ArtifactItem, ItemOf, StatusItem } from './item.ts';
import type { JsonObject } from './json.ts';
import type { ArtifactOf, MessageOf, Part, StoredPart } from './message.ts';

export interface StatusOf<P> {
  readonly state: string;
  readonly at: Millis;
  readonly message?: MessageOf<P>;
}

/** A whole public task, as GetTask answers it. */
export interface Task {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: StatusOf<Part>;
  readonly history: readonly MessageOf<Part>[];
  readonly artifacts: readonly ArtifactOf<Part>[];
  /** When each artifact was begun, by its id, where that is known. */
  readonly begun?: ReadonlyMap<string, Millis>;
  readonly metadata?: JsonObject;
}

/**
 * A stretch of a task's content: its messages in order, and its artifacts, each with whether it
 * adds to what earlier stretches hold of it. So a long task is a row of immutable pages and a short
 * head, and no change rewrites it all.
 */
export interface Content<P> {
  readonly history: readonly MessageOf<P>[];
  readonly artifacts: readonly ArtifactItem<P>[];
}

/** The newest stretch, with what a task has only once. */
export interface Snapshot<P> extends Content<P> {
  readonly status: StatusOf<P>;
  readonly metadata?: JsonObject;
}

/** Metadata of a task that Holdfast writes itself: no agent may, and no redactor looks at it. */
const OWN_METADATA = ['reason', 'fault', 'decision'] as const;

/** Those of the members that are ours, or those that are not. */
export function ownMetadata(metadata: JsonObject, ours: boolean): JsonObject {
  const own: readonly string[] = OWN_METADATA;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => own.includes(key) === ours));
}

/** A task of which nothing is kept but its state. */
export function emptySnapshot<P>(state = '', at: Millis = 0): Snapshot<P> {
  return { status: { state, at }, history: [], artifacts: [] };
}

export type StoredContent = Content<StoredPart>;
export type StoredSnapshot = Snapshot<StoredPart>;

/**
 * Applies items in order. The history holds the client's messages and the agent's status messages
 * (G8).
 */
export function applyItems<P>(snapshot: Snapshot<P>, items: readonly ItemOf<P>[]): Snapshot<P> {
  const history = [...snapshot.history];
  const artifacts = [...snapshot.artifacts];
  let { status, metadata } = snapshot;
  for (const item of items) {
    switch (item.kind) {
      case 'message':
        history.push(item.message);
        break;
      case 'artifact':
        applyArtifact(artifacts, item);
        break;
      case 'status':
        if (item.message !== undefined) history.push({ ...item.message, at: item.at });
        status = statusOf(item);
        if (item.metadata !== undefined) metadata = { ...metadata, ...item.metadata };
        break;
      default:
        item satisfies never;
    }
  }
  return { status, history, artifacts, ...(metadata === undefined ? {} : { metadata }) };
}

function statusOf<P>(item: StatusItem<P>): StatusOf<P> {
  return {
    state: item.state,
    at: item.at,
    ...(item.message === undefined ? {} : { message: item.message }),
  };
}

/** A chunk for an artifact that does not exist creates it: it is never dropped. */
function applyArtifact<P>(artifacts: ArtifactItem<P>[], update: ArtifactItem<P>): void {
  const at = artifacts.findIndex((item) => item.artifact.artifactId === update.artifact.artifactId);
  const present = artifacts[at];
  if (present === undefined) artifacts.push(update);
  else if (!update.append) artifacts[at] = update;
  else {
    const parts = [...present.artifact.parts, ...update.artifact.parts];
    artifacts[at] = {
      ...update,
      ...(present.at !== undefined && { at: present.at }),
      append: present.append,
      artifact: { ...present.artifact, ...update.artifact, parts },
    };
  }
}

/** Joins stretches, oldest first. */
export function joinContent<P>(stretches: readonly Content<P>[]): {
  readonly history: readonly MessageOf<P>[];
  readonly artifacts: readonly ArtifactOf<P>[];
  readonly begun: ReadonlyMap<string, Millis>;
} {
  const artifacts: ArtifactItem<P>[] = [];
  for (const stretch of stretches)
    for (const item of stretch.artifacts) applyArtifact(artifacts, item);
  return {
    history: stretches.flatMap((stretch) => stretch.history),
    artifacts: artifacts.map(({ artifact }) => artifact),
    begun: new Map(
      artifacts.flatMap(({ artifact, at }) =>
        at === undefined ? [] : [[artifact.artifactId, at] as const],
      ),
    ),
  };
}

/**
 * At most the `length` newest messages; all when undefined (A2A section 3.2.4). Trims the answer,
 * never the store.
 */
export function recent<M>(history: readonly M[], length: number | undefined): readonly M[] {
  if (length === undefined) return history;
  return length === 0 ? [] : history.slice(-length);
}
