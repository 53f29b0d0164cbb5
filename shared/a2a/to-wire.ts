import {
  type Artifact as WireArtifact,
  type Message as WireMessage,
  type Part as WirePart,
  Role,
  type StreamResponse,
  type Task as WireTask,
  TaskState,
  type TaskStatus as WireStatus,
} from '@a2a-js/sdk';
import type { Frame } from '../app/service.ts';
import type { EventOf } from '../domain/item.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Artifact, Message, Part } from '../domain/message.ts';
import { taskState, type TaskState as State } from '../domain/status.ts';
import type { StatusOf, Task } from '../domain/task.ts';
import { timestampOf } from './timestamp.ts';

// The SDK's codec leaves out '' and [], so unset and empty look the same on the wire (section 5.7).

interface Owner {
  readonly taskId: string;
  readonly contextId: string;
}

const STATES: Readonly<Record<State, TaskState>> = {
  SUBMITTED: TaskState.TASK_STATE_SUBMITTED,
  WORKING: TaskState.TASK_STATE_WORKING,
  INPUT_REQUIRED: TaskState.TASK_STATE_INPUT_REQUIRED,
  AUTH_REQUIRED: TaskState.TASK_STATE_AUTH_REQUIRED,
  COMPLETED: TaskState.TASK_STATE_COMPLETED,
  FAILED: TaskState.TASK_STATE_FAILED,
  CANCELED: TaskState.TASK_STATE_CANCELED,
  REJECTED: TaskState.TASK_STATE_REJECTED,
};

export function taskToWire(task: Task): WireTask {
  return {
    id: task.taskId,
    contextId: task.contextId,
    status: statusToWire(task.status, task),
    artifacts: task.artifacts.map(artifactToWire),
    history: task.history.map((message) => messageToWire(message, task)),
    metadata: objectOf(task.metadata),
  };
}

function statusToWire(status: StatusOf<Part>, owner: Owner): WireStatus {
  return {
    state: STATES[taskState(status.state)],
    message: status.message === undefined ? undefined : messageToWire(status.message, owner),
    timestamp: timestampOf(status.at),
  };
}

/** A server's message names its context, and its task if there is one (section 4.1.4). */
export function messageToWire(
  message: Message,
  owner: { readonly contextId: string; readonly taskId?: string },
): WireMessage {
  return {
    messageId: message.messageId,
    contextId: owner.contextId,
    taskId: owner.taskId ?? '',
    role: message.role === 'user' ? Role.ROLE_USER : Role.ROLE_AGENT,
    parts: message.parts.map(partToWire),
    metadata: objectOf(message.metadata),
    extensions: [...(message.extensions ?? [])],
    referenceTaskIds: [...(message.referenceTaskIds ?? [])],
  };
}

export function artifactToWire(artifact: Artifact): WireArtifact {
  return {
    artifactId: artifact.artifactId,
    name: artifact.name ?? '',
    description: artifact.description ?? '',
    parts: artifact.parts.map(partToWire),
    metadata: objectOf(artifact.metadata),
    extensions: [...(artifact.extensions ?? [])],
  };
}

function partToWire(part: Part): WirePart {
  return {
    content: contentToWire(part),
    metadata: objectOf(part.metadata),
    filename: part.filename ?? '',
    mediaType: part.mediaType ?? '',
  };
}

function contentToWire(part: Part): WirePart['content'] {
  if ('text' in part) return { $case: 'text', value: part.text };
  if ('url' in part) return { $case: 'url', value: part.url };
  if ('data' in part) return { $case: 'data', value: part.data };
  const { buffer, byteOffset, byteLength } = part.raw;
  return { $case: 'raw', value: Buffer.from(buffer, byteOffset, byteLength) };
}

export function frameToWire(frame: Frame, owner: Owner): StreamResponse {
  if (frame.kind === 'task') return { payload: { $case: 'task', value: taskToWire(frame.task) } };
  return { payload: eventToWire(frame.event, owner) };
}

function eventToWire(event: EventOf<Part>, owner: Owner): StreamResponse['payload'] {
  const { taskId, contextId } = owner;
  switch (event.kind) {
    case 'status': {
      const status = statusToWire(event, owner);
      const value = { taskId, contextId, status, metadata: objectOf(event.metadata) };
      return { $case: 'statusUpdate', value };
    }
    case 'artifact': {
      const { append, lastChunk } = event;
      const artifact = artifactToWire(event.artifact);
      const value = { taskId, contextId, artifact, append, lastChunk, metadata: undefined };
      return { $case: 'artifactUpdate', value };
    }
  }
}

/** The SDK declares metadata as a mutable record; a shallow copy is one. */
function objectOf(value: JsonObject | undefined): Record<string, Json> | undefined {
  return value === undefined ? undefined : { ...value };
}
