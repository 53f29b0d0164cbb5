import type { Beside } from '../domain/caller.ts';
import type { SendRequest, TaskFilter } from '../app/service.ts';
import type { Part } from '../domain/message.ts';
import { type TaskState, TASK_STATES } from '../domain/status.ts';
import type { Identity } from '../ports/access.ts';
import { generationFrom, isDrafted } from './draft.ts';
import { webhookFromWire } from './push-configs.ts';
import type { ClientPart, RequestOf } from './schema.ts';
import { instantOf } from './timestamp.ts';
import type { Version } from './version.ts';

// From what the schema has checked to what the application takes. Empty means unset, as in proto3.

/** What is known of a request beside its body. */
interface Sender {
  readonly identity: Identity;
  readonly extensions: readonly string[];
  /** Those that its notifications follow. */
  readonly told: readonly string[];
  readonly version: Version;
}

export function sendFromWire(given: RequestOf<'SendMessage'>, sender: Sender): SendRequest {
  const { configuration, message } = given;
  const push = configuration?.taskPushNotificationConfig;
  const ifSeq = isDrafted(sender)
    ? generationFrom('configuration.ifGenerationMatch', configuration?.ifGenerationMatch)
    : undefined;
  const beside = besideFromWire(given, sender);
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
    ...(ifSeq !== undefined && { ifSeq }),
    ...(contextId && { contextId }),
    ...(Object.keys(beside).length > 0 && { beside }),
    ...(push && { webhook: webhookFromWire(push, sender) }),
  };
}

/** Only what says something: a request that has nothing beside its message costs no document. */
function besideFromWire(
  { configuration = {}, metadata }: RequestOf<'SendMessage'>,
  { extensions, identity: { claims }, version }: Sender,
): Beside {
  const { acceptedOutputModes, historyLength, returnImmediately } = configuration;
  return {
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(acceptedOutputModes?.length && { acceptedOutputModes }),
    ...(historyLength !== undefined && { historyLength }),
    ...(returnImmediately === true && { returnImmediately }),
    ...(extensions.length > 0 && { extensions }),
    ...(version !== '1.0' && { version }),
    ...(claims && Object.keys(claims).length > 0 && { claims }),
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
