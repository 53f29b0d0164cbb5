import type { Millis } from './brand.ts';
import type { JsonObject } from './json.ts';
import type { Artifact, Message, Part } from './message.ts';
import { partToJson } from './stored-content.ts';
import type { Task } from './task.ts';

/** ISO 8601, UTC, milliseconds (A2A section 5.6.1). */
export function timestamp(at: Millis): string {
  return new Date(at).toISOString();
}

/** The standard A2A Task in ProtoJSON form (section 5.5): what any A2A reader understands (G20). */
export function taskToProtoJson(task: Task): JsonObject {
  const place = { taskId: task.taskId, contextId: task.contextId };
  const { message } = task.status;
  return {
    id: task.taskId,
    contextId: task.contextId,
    status: {
      state: `TASK_STATE_${task.status.state}`,
      ...(message && { message: messageToProtoJson(message, place) }),
      timestamp: timestamp(task.status.at),
    },
    ...(task.artifacts.length > 0 && { artifacts: task.artifacts.map(artifactToProtoJson) }),
    ...(task.history.length > 0 && {
      history: task.history.map((said) => messageToProtoJson(said, place)),
    }),
    ...(task.metadata && { metadata: task.metadata }),
  };
}

function messageToProtoJson(
  message: Message,
  place: { readonly taskId: string; readonly contextId: string },
): JsonObject {
  return {
    messageId: message.messageId,
    contextId: place.contextId,
    taskId: place.taskId,
    role: message.role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: message.parts.map(partJson),
    ...(message.metadata && { metadata: message.metadata }),
    ...(message.extensions?.length && { extensions: message.extensions }),
    ...(message.referenceTaskIds?.length && { referenceTaskIds: message.referenceTaskIds }),
  };
}

function artifactToProtoJson(artifact: Artifact): JsonObject {
  const { parts, ...frame } = artifact;
  return { ...(frame as JsonObject), parts: parts.map(partJson) };
}

const partJson = (part: Part): JsonObject => partToJson(part);
