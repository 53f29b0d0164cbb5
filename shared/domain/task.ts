import type { Millis } from './brand.ts';
import type { ItemOf, StatusItem } from './delta.ts';
import type { JsonObject } from './json.ts';
import type { ArtifactOf, MessageOf, Part, StoredPart } from './message.ts';

/** The public task as a fold over its items; `P` is the form of a part: in memory, or as stored. */
export interface TaskBody<P> {
  readonly status: StatusOf<P>;
  readonly history: readonly MessageOf<P>[];
  readonly artifacts: readonly ArtifactOf<P>[];
  readonly metadata?: JsonObject;
}

export interface StatusOf<P> {
  readonly state: string;
  readonly at: Millis;
  readonly message?: MessageOf<P>;
}

export type StoredTaskBody = TaskBody<StoredPart>;

/** A whole public task, as GetTask answers it. */
export interface Task extends TaskBody<Part> {
  readonly taskId: string;
  readonly contextId: string;
}

/** Applies items in order. The history holds the client's messages and the agent's status messages (G8), each once. */
export function applyItems<P>(task: TaskBody<P>, items: readonly ItemOf<P>[]): TaskBody<P> {
  const history = [...task.history];
  const artifacts = [...task.artifacts];
  let { status, metadata } = task;
  for (const item of items) {
    switch (item.kind) {
      case 'message':
        history.push(item.message);
        break;
      case 'artifact':
        applyArtifact(artifacts, item.artifact, item.append);
        break;
      case 'status':
        if (item.message !== undefined) history.push(item.message);
        status = statusOf(item);
        if (item.metadata !== undefined) metadata = { ...metadata, ...item.metadata };
        break;
      default:
        item satisfies never;
    }
  }
  return { status, history, artifacts, ...(metadata === undefined ? {} : { metadata }) };
}

export function statusOf<P>(item: StatusItem<P>): StatusOf<P> {
  return {
    state: item.state,
    at: item.at,
    ...(item.message === undefined ? {} : { message: item.message }),
  };
}

/** A chunk for an artifact that does not exist creates it: it is never dropped (case A9). */
function applyArtifact<P>(
  artifacts: ArtifactOf<P>[],
  update: ArtifactOf<P>,
  append: boolean,
): void {
  const at = artifacts.findIndex((artifact) => artifact.artifactId === update.artifactId);
  const present = artifacts[at];
  if (present === undefined) artifacts.push(update);
  else if (append)
    artifacts[at] = { ...present, ...update, parts: [...present.parts, ...update.parts] };
  else artifacts[at] = update;
}
