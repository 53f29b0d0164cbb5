import {
  type ListTasksRequest,
  type Message as WireMessage,
  type Part as WirePart,
  Role,
  TaskState,
} from '@a2a-js/sdk';
import type { SendRequest, TaskFilter } from '../app/service.ts';
import { isJsonObject, type Json } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import type { TaskState as State } from '../domain/status.ts';
import { invalidParams } from './failure.ts';
import { NULL_DATA } from './protojson.ts';
import { MESSAGE_ID, MESSAGE_ID_RULE } from './schema.ts';
import { instantOf } from './timestamp.ts';

// v1.0 requests come through the schema; v0.3 ones only through the SDK's translation, which checks little and types
// optimistically. So everything is looked at once more here, on the one type that both end in.

export function sendFromWire(message: WireMessage | undefined): SendRequest {
  if (message === undefined) throw violation('message', 'is required');
  if (typeof message.messageId !== 'string' || !MESSAGE_ID.test(message.messageId)) {
    throw violation('message.messageId', MESSAGE_ID_RULE);
  }
  if (message.role !== Role.ROLE_USER) throw violation('message.role', 'must be the user role');
  if (message.parts.length === 0) throw violation('message.parts', 'must hold at least one part');
  const taskId = optionalId('message.taskId', message.taskId);
  const contextId = optionalId('message.contextId', message.contextId);
  const extensions = strings('message.extensions', message.extensions);
  const referenceTaskIds = strings('message.referenceTaskIds', message.referenceTaskIds);
  return {
    message: {
      messageId: message.messageId,
      role: 'user',
      parts: message.parts.map((part, index) => partFromWire(part, `message.parts[${index}]`)),
      ...metadataOf('message.metadata', message.metadata),
      ...(extensions.length === 0 ? {} : { extensions }),
      ...(referenceTaskIds.length === 0 ? {} : { referenceTaskIds }),
    },
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
  };
}

export function partFromWire(part: WirePart, field: string): Part {
  const mediaType = text(`${field}.mediaType`, part.mediaType);
  const filename = text(`${field}.filename`, part.filename);
  return {
    ...contentFromWire(part.content, field),
    ...(mediaType === '' ? {} : { mediaType }),
    ...(filename === '' ? {} : { filename }),
    ...metadataOf(`${field}.metadata`, part.metadata),
  };
}

function contentFromWire(content: WirePart['content'], field: string): Part {
  switch (content?.$case) {
    case 'text':
      return { text: text(`${field}.text`, content.value) };
    case 'url':
      return { url: text(`${field}.url`, content.value) };
    case 'raw':
      return { raw: content.value };
    case 'data': {
      const data: unknown = content.value;
      return { data: data === NULL_DATA ? null : (data as Json) };
    }
    case undefined:
      throw violation(field, 'must hold exactly one of text, raw, url and data');
  }
}

export function historyLengthOf(field: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw violation(field, 'must be an integer of at least 0');
}

const STATES: Readonly<Record<TaskState, State | undefined>> = {
  [TaskState.UNRECOGNIZED]: undefined,
  [TaskState.TASK_STATE_UNSPECIFIED]: undefined,
  [TaskState.TASK_STATE_SUBMITTED]: 'SUBMITTED',
  [TaskState.TASK_STATE_WORKING]: 'WORKING',
  [TaskState.TASK_STATE_COMPLETED]: 'COMPLETED',
  [TaskState.TASK_STATE_FAILED]: 'FAILED',
  [TaskState.TASK_STATE_CANCELED]: 'CANCELED',
  [TaskState.TASK_STATE_INPUT_REQUIRED]: 'INPUT_REQUIRED',
  [TaskState.TASK_STATE_REJECTED]: 'REJECTED',
  [TaskState.TASK_STATE_AUTH_REQUIRED]: 'AUTH_REQUIRED',
};

/** v0.3 has no ListTasks on our bindings, so this request has always been through the schema. */
export function filterFromWire(request: ListTasksRequest): TaskFilter {
  const { contextId, pageSize, pageToken, historyLength, includeArtifacts } = request;
  const state = STATES[request.status];
  const statusAfter =
    request.statusTimestampAfter === undefined
      ? undefined
      : instantOf(request.statusTimestampAfter);
  return {
    includeArtifacts: includeArtifacts === true,
    ...(contextId === '' ? {} : { contextId }),
    ...(state === undefined ? {} : { state }),
    ...(statusAfter === undefined ? {} : { statusAfter }),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(pageToken === '' ? {} : { pageToken }),
    ...(historyLength === undefined ? {} : { historyLength }),
  };
}

function optionalId(field: string, value: unknown): string | undefined {
  const id = text(field, value);
  if (id.length > 1_024) throw violation(field, 'must have at most 1024 characters');
  return id === '' ? undefined : id;
}

function text(field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw violation(field, 'must be a string');
}

function strings(field: string, values: readonly unknown[]): string[] {
  return values.map((value, index) => text(`${field}[${index}]`, value));
}

function metadataOf(field: string, value: unknown): Pick<Part, 'metadata'> {
  // The SDK takes null for unset in every other optional field of v0.3, as ProtoJSON does.
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return { metadata: value };
  throw violation(field, 'must be an object');
}

function violation(field: string, description: string): Error {
  return invalidParams([{ field, description }]);
}
