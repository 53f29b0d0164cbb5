import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { pushConfigFrom } from './legacy-push.ts';

// A2A v0.3 over HTTP+JSON: the proto JSON of v0.3.0's a2a.proto, told in the words of 1.0 and back.
// Names come in camelCase or snake_case; what is not of the shape that it should be is handed on
// for the schema of 1.0 to refuse.

/** A send of v0.3 as 1.0's. */
export function legacySend(body: JsonObject): JsonObject {
  const { configuration } = body;
  // The proto calls it `request` and shows it as `message`.
  const message = body['message'] ?? body['request'];
  return {
    ...(message !== undefined && { message: messageFrom(message) }),
    ...(configuration !== undefined && { configuration: configurationFrom(configuration) }),
    ...(body['metadata'] !== undefined && { metadata: body['metadata'] }),
  };
}

function configurationFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const push = given['pushNotification'] ?? given['push_notification'];
  return {
    ...given,
    // Absent is proto3's false.
    returnImmediately: given['blocking'] !== true,
    ...(push !== undefined && { taskPushNotificationConfig: pushConfigFrom(push) }),
  };
}

function messageFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const { content = null } = given;
  return { ...given, parts: Array.isArray(content) ? content.map(partFrom) : content };
}

function partFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const { data, file, metadata, text } = given;
  return {
    ...(metadata !== undefined && { metadata }),
    ...(text !== undefined && { text }),
    ...(isJsonObject(data) && { data: data['data'] ?? {} }),
    ...(isJsonObject(file) && fileFrom(file)),
  };
}

function fileFrom(file: JsonObject): JsonObject {
  const bytes = file['fileWithBytes'] ?? file['file_with_bytes'];
  const uri = file['fileWithUri'] ?? file['file_with_uri'];
  const mediaType = file['mimeType'] ?? file['mime_type'];
  const filename = file['name'];
  return {
    ...(bytes !== undefined && { raw: bytes }),
    ...(uri !== undefined && { url: uri }),
    ...(mediaType !== undefined && { mediaType }),
    ...(filename !== undefined && { filename }),
  };
}

/** A task, message or event of 1.0 as v0.3's proto says it; `last` when the stream ends with it. */
export function legacyProtoResult(response: JsonObject, last = true): JsonObject {
  const { artifactUpdate, message, statusUpdate, task } = response;
  if (isJsonObject(task)) return { task: legacyProtoTask(task) };
  if (message !== undefined) return { msg: protoMessage(message) };
  if (isJsonObject(artifactUpdate)) {
    const { artifact } = artifactUpdate;
    return { artifactUpdate: { ...artifactUpdate, artifact: protoArtifact(artifact ?? {}) } };
  }
  const update = isJsonObject(statusUpdate) ? statusUpdate : {};
  const status = protoStatus(update['status'] ?? {});
  return { statusUpdate: { ...update, status, ...(last && { final: true }) } };
}

export function legacyProtoTask(task: JsonObject): JsonObject {
  const { artifacts, history, status } = task;
  return {
    ...task,
    status: protoStatus(status ?? {}),
    ...(Array.isArray(artifacts) && { artifacts: artifacts.map(protoArtifact) }),
    ...(Array.isArray(history) && { history: history.map(protoMessage) }),
  };
}

function protoStatus(given: Json): JsonObject {
  const { message, state, ...rest } = isJsonObject(given) ? given : {};
  return {
    ...rest,
    // With two L in v0.3.
    state: state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : (state ?? null),
    ...(message !== undefined && { message: protoMessage(message) }),
  };
}

function protoMessage(given: Json): JsonObject {
  // The proto has no referenceTaskIds, and a strict reader refuses what it does not know.
  const { parts, ...rest } = isJsonObject(given) ? given : {};
  const known = Object.entries(rest).filter(([name]) => name !== 'referenceTaskIds');
  return {
    ...Object.fromEntries(known),
    content: Array.isArray(parts) ? parts.map(protoPart) : [],
  };
}

function protoArtifact(given: Json): JsonObject {
  const { parts, ...rest } = isJsonObject(given) ? given : {};
  return { ...rest, parts: Array.isArray(parts) ? parts.map(protoPart) : [] };
}

function protoPart(given: Json): JsonObject {
  const part = isJsonObject(given) ? given : {};
  const { data, filename, mediaType, metadata, raw, text, url } = part;
  const around = metadata === undefined ? {} : { metadata };
  if (text !== undefined) return { text, ...around };
  if (raw !== undefined || url !== undefined) {
    const file = {
      ...(raw === undefined ? { fileWithUri: url ?? '' } : { fileWithBytes: raw }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
      ...(filename !== undefined && { name: filename }),
    };
    return { file, ...around };
  }
  // A Struct: what is no object is wrapped in one.
  return { data: { data: isJsonObject(data) ? data : { value: data ?? null } }, ...around };
}
