import type { Millis } from './brand.ts';
import type { JsonObject } from './json.ts';
import type { EventOf } from './item.ts';
import type { Artifact, Message, Part } from './message.ts';
import { taskState } from './status.ts';
import { partToJson } from './stored-content.ts';
import type { StatusOf, Task } from './task.ts';

/** ISO 8601, UTC, milliseconds (A2A section 5.6.1). */
export function timestamp(at: Millis): string {
  return new Date(at).toISOString();
}

/**
 * Members of the metadata of what an agent makes that say when it was made: for a client that asked
 * for them (extensions.ts).
 */
export type TimeKeys = readonly string[];

/** The standard A2A Task in ProtoJSON form (section 5.5): what any A2A reader understands (G20). */
export function taskToProtoJson(task: Task, times: TimeKeys = []): JsonObject {
  const place = { taskId: task.taskId, contextId: task.contextId };
  return {
    id: task.taskId,
    contextId: task.contextId,
    status: statusToProtoJson(task.status, place, times),
    ...(task.artifacts.length > 0 && {
      artifacts: task.artifacts.map((artifact) =>
        artifactToProtoJson(artifact, task.begun?.get(artifact.artifactId), times),
      ),
    }),
    ...(task.history.length > 0 && {
      history: task.history.map((said) => messageToProtoJson(said, place, times)),
    }),
    ...(task.metadata && { metadata: task.metadata }),
  };
}

interface Place {
  readonly taskId?: string;
  readonly contextId: string;
}

function statusToProtoJson(
  { at, message, state }: StatusOf<Part>,
  place: Required<Place>,
  times: TimeKeys,
): JsonObject {
  return {
    state: `TASK_STATE_${taskState(state)}`,
    ...(message && { message: messageToProtoJson({ ...message, at }, place, times) }),
    timestamp: timestamp(at),
  };
}

/** An event of a stream as A2A's StreamResponse. */
export function eventToProtoJson(
  event: EventOf<Part>,
  place: Required<Place>,
  times: TimeKeys = [],
): JsonObject {
  const { contextId, taskId } = place;
  if (event.kind === 'status') {
    const status = statusToProtoJson(event, place, times);
    const { metadata } = event;
    return { statusUpdate: { taskId, contextId, status, ...(metadata && { metadata }) } };
  }
  const { append, at, lastChunk } = event;
  const artifact = artifactToProtoJson(event.artifact, at, times);
  const flags = { ...(append && { append }), ...(lastChunk && { lastChunk }) };
  return { artifactUpdate: { taskId, contextId, artifact, ...flags } };
}

/** A message names its context, and its task if there is one (section 4.1.4). */
export function messageToProtoJson(
  message: Message,
  place: Place,
  times: TimeKeys = [],
): JsonObject {
  const at = message.role === 'user' ? undefined : message.at;
  const metadata = timed(message.metadata, at, times);
  return {
    messageId: message.messageId,
    contextId: place.contextId,
    ...(place.taskId !== undefined && { taskId: place.taskId }),
    role: message.role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: message.parts.map(partJson),
    ...(metadata && { metadata }),
    ...(message.extensions?.length && { extensions: message.extensions }),
    ...(message.referenceTaskIds?.length && { referenceTaskIds: message.referenceTaskIds }),
  };
}

function artifactToProtoJson(
  { draft: _, metadata: said, parts, ...frame }: Artifact,
  at: Millis | undefined,
  times: TimeKeys,
): JsonObject {
  const metadata = timed(said, at, times);
  return {
    ...(frame as JsonObject),
    ...(metadata && { metadata }),
    parts: parts.map(partJson),
  };
}

/** What the agent says itself stays as it says it. */
function timed(
  metadata: JsonObject | undefined,
  at: Millis | undefined,
  times: TimeKeys,
): JsonObject | undefined {
  if (at === undefined || times.length === 0) return metadata;
  const made = timestamp(at);
  return { ...Object.fromEntries(times.map((key) => [key, made])), ...metadata };
}

const partJson = (part: Part): JsonObject => partToJson(part);
