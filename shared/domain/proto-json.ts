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

/** The standard A2A Task in ProtoJSON form (section 5.5): what any A2A reader understands (G20). */
export function taskToProtoJson(task: Task): JsonObject {
  const place = { taskId: task.taskId, contextId: task.contextId };
  return {
    id: task.taskId,
    contextId: task.contextId,
    status: statusToProtoJson(task.status, place),
    ...(task.artifacts.length > 0 && { artifacts: task.artifacts.map(artifactToProtoJson) }),
    ...(task.history.length > 0 && {
      history: task.history.map((said) => messageToProtoJson(said, place)),
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
): JsonObject {
  return {
    state: `TASK_STATE_${taskState(state)}`,
    ...(message && { message: messageToProtoJson(message, place) }),
    timestamp: timestamp(at),
  };
}

/** An event of a stream as A2A's StreamResponse. */
export function eventToProtoJson(event: EventOf<Part>, place: Required<Place>): JsonObject {
  const { contextId, taskId } = place;
  if (event.kind === 'status') {
    const status = statusToProtoJson(event, place);
    const { metadata } = event;
    return { statusUpdate: { taskId, contextId, status, ...(metadata && { metadata }) } };
  }
  const artifact = artifactToProtoJson(event.artifact);
  const { append, lastChunk } = event;
  const flags = { ...(append && { append }), ...(lastChunk && { lastChunk }) };
  return { artifactUpdate: { taskId, contextId, artifact, ...flags } };
}

/** A message names its context, and its task if there is one (section 4.1.4). */
export function messageToProtoJson(message: Message, place: Place): JsonObject {
  return {
    messageId: message.messageId,
    contextId: place.contextId,
    ...(place.taskId !== undefined && { taskId: place.taskId }),
    role: message.role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: message.parts.map(partJson),
    ...(message.metadata && { metadata: message.metadata }),
    ...(message.extensions?.length && { extensions: message.extensions }),
    ...(message.referenceTaskIds?.length && { referenceTaskIds: message.referenceTaskIds }),
  };
}

function artifactToProtoJson({ draft: _, parts, ...frame }: Artifact): JsonObject {
  return { ...(frame as JsonObject), parts: parts.map(partJson) };
}

const partJson = (part: Part): JsonObject => partToJson(part);
