import type { SendRequest, TaskFilter } from '../app/service.ts';
import type { Part } from '../domain/message.ts';
import { type TaskState, TASK_STATES } from '../domain/status.ts';
import type { ClientMessage, ClientPart, RequestOf } from './schema.ts';
import { instantOf } from './timestamp.ts';

// From what the schema has checked to what the application takes. Empty means unset, as in proto3.

export function sendFromWire(message: ClientMessage): SendRequest {
  const { contextId, extensions, messageId, metadata, parts, referenceTaskIds, taskId } = message;
  return {
    message: {
      messageId,
      role: 'user',
      parts: parts.map(partFromWire),
      ...(metadata && { metadata }),
      ...(extensions?.length && { extensions }),
      ...(referenceTaskIds?.length && { referenceTaskIds }),
    },
    ...(taskId && { taskId }),
    ...(contextId && { contextId }),
  };
}

function partFromWire({ data, filename, mediaType, metadata, raw, text, url }: ClientPart): Part {
  const frame = {
    ...(mediaType && { mediaType }),
    ...(filename && { filename }),
    ...(metadata && { metadata }),
  };
  if (text !== undefined) return { text, ...frame };
  if (url !== undefined) return { url, ...frame };
  // Also of the URL's alphabet (ProtoJSON).
  if (raw !== undefined) return { raw: Buffer.from(raw, 'base64'), ...frame };
  return { data: data ?? null, ...frame };
}

export function filterFromWire(request: RequestOf<'ListTasks'>): TaskFilter {
  const { contextId, pageSize, pageToken, historyLength, includeArtifacts } = request;
  const state = stateFromWire(request.status);
  const statusAfter =
    request.statusTimestampAfter === undefined
      ? undefined
      : instantOf(request.statusTimestampAfter);
  return {
    includeArtifacts: includeArtifacts === true,
    ...(contextId && { contextId }),
    ...(state !== undefined && { state }),
    ...(statusAfter !== undefined && { statusAfter }),
    ...(pageSize !== undefined && { pageSize }),
    ...(pageToken && { pageToken }),
    ...(historyLength !== undefined && { historyLength }),
  };
}

function stateFromWire(name: string | undefined): TaskState | undefined {
  return TASK_STATES.find((state) => `TASK_STATE_${state}` === name);
}
