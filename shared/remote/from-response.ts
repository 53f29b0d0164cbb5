import {
  type Artifact as WireArtifact,
  type Message as WireMessage,
  type Part as WirePart,
  type Task as WireTask,
  TaskState as WireState,
} from '@a2a-js/sdk';
import { isJsonObject, type Json } from '../domain/json.ts';
import type { Artifact, Message, Part } from '../domain/message.ts';
import type { TaskState } from '../domain/status.ts';
import type { TaskResponse } from './outcomes.ts';

// The SDK's codec has been over an answer already and is generous; what it types is not always what
// is there.

const STATES: Readonly<Record<WireState, TaskState | 'UNKNOWN'>> = {
  [WireState.UNRECOGNIZED]: 'UNKNOWN',
  [WireState.TASK_STATE_UNSPECIFIED]: 'UNKNOWN',
  [WireState.TASK_STATE_SUBMITTED]: 'SUBMITTED',
  [WireState.TASK_STATE_WORKING]: 'WORKING',
  [WireState.TASK_STATE_COMPLETED]: 'COMPLETED',
  [WireState.TASK_STATE_FAILED]: 'FAILED',
  [WireState.TASK_STATE_CANCELED]: 'CANCELED',
  [WireState.TASK_STATE_INPUT_REQUIRED]: 'INPUT_REQUIRED',
  [WireState.TASK_STATE_REJECTED]: 'REJECTED',
  [WireState.TASK_STATE_AUTH_REQUIRED]: 'AUTH_REQUIRED',
};

/**
 * An id that can be kept, shown and put into a URL: printable, not too long, and no step up a path,
 * which URL-encoding would leave as it is.
 */
export function isTaskId(id: unknown): id is string {
  return typeof id === 'string' && /^[^\p{Cc}\p{Cs}]{1,256}$/u.test(id) && !/^\.{1,2}$/.test(id);
}

export function stateOf(task: Pick<WireTask, 'status'>): TaskState | 'UNKNOWN' {
  return STATES[task.status?.state ?? WireState.TASK_STATE_UNSPECIFIED] ?? 'UNKNOWN';
}

/** Throws at a task that can't be used: without an id above all. */
export function taskFromResponse(task: WireTask): TaskResponse {
  if (!isTaskId(task.id)) throw new TypeError('no task id');
  const words = task.status?.message;
  return {
    ref: { taskId: task.id, contextId: text(task.contextId) },
    state: stateOf(task),
    ...(words !== undefined && { message: messageFromResponse(words) }),
    artifacts: task.artifacts.map(artifactFromResponse),
  };
}

/** Whatever it says of itself, these are the remote's words. */
export function messageFromResponse(message: WireMessage): Message {
  return {
    messageId: text(message.messageId),
    role: 'agent',
    parts: message.parts.map(partFromResponse),
    ...metadataOf(message.metadata),
    ...(message.extensions.length > 0 && { extensions: message.extensions.map(text) }),
    ...(message.referenceTaskIds.length > 0 && {
      referenceTaskIds: message.referenceTaskIds.map(text),
    }),
  };
}

function artifactFromResponse(artifact: WireArtifact): Artifact {
  const name = text(artifact.name);
  const description = text(artifact.description);
  return {
    artifactId: text(artifact.artifactId),
    ...(name !== '' && { name }),
    ...(description !== '' && { description }),
    parts: artifact.parts.map(partFromResponse),
    ...metadataOf(artifact.metadata),
    ...(artifact.extensions.length > 0 && { extensions: artifact.extensions.map(text) }),
  };
}

function partFromResponse(part: WirePart): Part {
  const mediaType = text(part.mediaType);
  const filename = text(part.filename);
  return {
    ...contentFromResponse(part.content),
    ...(mediaType !== '' && { mediaType }),
    ...(filename !== '' && { filename }),
    ...metadataOf(part.metadata),
  };
}

function contentFromResponse(content: WirePart['content']): Part {
  switch (content?.$case) {
    case 'text':
      return { text: text(content.value) };
    case 'url':
      return { url: text(content.value) };
    case 'raw':
      return { raw: content.value };
    case 'data':
      return { data: content.value as Json };
    case undefined:
      // The SDK's codec makes this of {"data": null}.
      return { data: null };
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('not a string');
}

function metadataOf(value: unknown): Pick<Part, 'metadata'> {
  return isJsonObject(value) ? { metadata: value } : {};
}
